import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PageRange } from "../../../pagination.js";
import type { StoreCall } from "../../../store.js";
import type { FoundPage } from "../../sqlite/pages/readPage.js";
import { type AnyRead, each, type QueryOf, type ReadName, type Reads, readsOf } from "../../sqlite/reads.js";
import { defaultSizes } from "../../sqlite/schema/sizes.js";
import { settle } from "../../sqlite/settle/settle.js";
import type { Writes } from "../../sqlite/store.js";
import type { FileDatabase } from "../fileDatabase.js";
import { type FileStore, storeInFile, writesOfFile } from "../fileStore.js";
import { ItemWeights, sampleSize } from "./itemWeights.js";
import { Lane } from "./lane.js";
import type { ThreadStart, WriteName } from "./messages.js";
import { putByThread } from "./sendRecords.js";
import { areManyWaiting, askedLists, isHeavyChange, isHeavyRead, isManyRecords } from "./weigh.js";

/** A store in a file, and the number of its calls that wait for a thread. */
interface LaneStore extends FileStore {
  heavyCallsWaiting(): number;
}

/** Creates a store that runs heavy calls in its own threads, so that they do not hold up other calls. */
export function laneStore(database: FileDatabase, start: Omit<ThreadStart, "identity">, threads: number): LaneStore {
  const { identity } = database;
  const address = threads > 0 && identity !== undefined ? threadAddress() : undefined;
  if (address === undefined || identity === undefined) {
    return { ...storeInFile(database), heavyCallsWaiting: () => 0 };
  }
  const reads = readsOf(database);
  const writes = writesOfFile(database);
  // The working folder of the process may change before a thread is started.
  const file = { ...start.file, path: resolve(start.file.path.trim()) };
  const lane = new Lane(address, { ...start, file, identity }, threads);
  // One thread more: a write may wait for another program's lock, and no read waits behind it.
  const writing = new Lane(address, { ...start, file, identity }, 1);
  const weights = new ItemWeights();

  /** Reads in the lane, in a line of the administrator's for this kind of reads. */
  const readInLane = (kind: string, of: "reads" | "readsFromRecords", name: ReadName): AnyRead => {
    const read = (argument: unknown, call?: StoreCall) =>
      lane.run({ of, name, argument }, `${kind} ${call?.adminUserID}`, { signal: call?.signal });
    return read as AnyRead;
  };

  async function learning(list: string, range: PageRange, reading: Promise<FoundPage | undefined>) {
    const page = await reading;
    if (page !== undefined && page.waiting === undefined) weights.learn(list, range, page);
    return page;
  }

  /** Returns a read that runs in the lane if it is heavy. */
  function weighed<Name extends ReadName>(name: Name): Reads[Name] {
    async function read(query: QueryOf<Name>, call?: StoreCall) {
      const asked = askedLists[name](query);
      const list = `${asked.list} ${asked.owner}`;
      let isHeavy = await isHeavyRead(database, asked, query);
      if (!isHeavy && query.limit > sampleSize && !weights.isKnown(list)) {
        const sample = { ...query, limit: sampleSize };
        await learning(list, sample, reads[name](sample));
      }
      isHeavy ||= weights.isLong(list, query);
      const heavy = readInLane(asked.looksAtAll ? "search" : "page", "reads", name) as Reads[Name];
      return learning(list, query, isHeavy ? heavy(query, call) : reads[name](query));
    }
    return read as Reads[Name];
  }

  const writeInLane = (name: WriteName, argument: unknown, call?: StoreCall) =>
    database.inTurn(() => {
      call?.begun?.();
      return writing.run({ of: "writes", name, argument }, "write");
    }, call);

  const store = storeInFile(database, {
    reads: each(reads, (_read, name) => weighed(name) as AnyRead),
    readsFromRecords: each(reads, (_read, name) => readInLane("records", "readsFromRecords", name)),
    writes: {
      async setConversations(change, call) {
        if (!isHeavyChange(change)) return writes.setConversations(change, call);
        return writeInLane("setConversations", change, call) as ReturnType<Writes["setConversations"]>;
      },
      async put(records) {
        if (!isManyRecords(records)) return writes.put(records);
        await database.inTurn(() => putByThread(writing, records));
      },
      async remove(keys) {
        // Only arrays go to a thread: another iterable may change while the thread takes it.
        if (!isManyRecords(keys) || !Object.values(keys).every(Array.isArray)) return writes.remove(keys);
        await writeInLane("remove", keys);
      },
    },
    async settle(kinds) {
      if (!(await areManyWaiting(database))) return settle(database, defaultSizes, kinds);
      await writeInLane("settle", kinds);
    },
    close: () => Promise.all([lane.close(), writing.close()]),
  });
  return { ...store, heavyCallsWaiting: () => lane.waiting };
}

const fileName = "laneThread.js";
let hasWarned = false;

/**
 * The address of a thread's code: beside this module, or, if a bundler has moved this module, in the installed package.
 */
function threadAddress(): URL | undefined {
  // A bundle in CommonJS has no import.meta.url, but has __filename.
  const here = import.meta.url ?? pathToFileURL(__filename).href;
  const candidates = [() => here, () => pathToFileURL(createRequire(here).resolve("im-admin/sqlite")).href];
  for (const [index, candidate] of candidates.entries()) {
    try {
      const address = new URL(index === 0 ? fileName : `lane/${fileName}`, candidate());
      if (existsSync(address)) return address;
    } catch {
      // The package is not installed.
    }
  }
  if (!hasWarned) {
    hasWarned = true;
    process.emitWarning(
      `im-admin does not find ${fileName}, and makes heavy calls on the thread of the caller: install im-admin where the program runs, or set threads to 0`,
      { code: "IM_ADMIN_NO_THREADS" },
    );
  }
  return undefined;
}
