import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { StoreCall } from "../../../store.js";
import { askedOf, type Read } from "../../sqlite/reads.js";
import type { FileDatabase } from "../fileDatabase.js";
import { type Calls, callsHere, type FileStore, storeInFile } from "../fileStore.js";
import { ItemWeights, sampleSize } from "./itemWeights.js";
import { Lane } from "./lane.js";
import type { ThreadStart } from "./messages.js";
import { putByThread } from "./sendRecords.js";
import { areManyWaiting, isHeavyChange, isHeavyRead, isManyRecords } from "./weigh.js";

/** A store in a file, and the number of its calls that wait for a thread. */
interface LaneStore extends FileStore {
  heavyCallsWaiting(): number;
}

/** Creates a store that makes heavy calls in its own threads, so that they do not hold up other calls. */
export function laneStore(database: FileDatabase, start: Omit<ThreadStart, "identity">, threads: number): LaneStore {
  const { identity } = database;
  const here = callsHere(database);
  const address = threads > 0 && identity !== undefined ? threadAddress() : undefined;
  if (address === undefined || identity === undefined) {
    return { ...storeInFile(database, here), heavyCallsWaiting: () => 0 };
  }
  // The working folder of the process may change before a thread is started.
  const file = { ...start.file, path: resolve(start.file.path.trim()) };
  const reading = new Lane(address, { ...start, file, identity }, threads);
  // One thread more: a write may wait for another program's lock, and no read waits behind it.
  const writing = new Lane(address, { ...start, file, identity }, 1);
  const weights = new ItemWeights();

  /** Reads in the lane, in a line of the administrator's for this kind of reads. */
  const readInLane =
    (step: "kept" | "records", kind: string): Read =>
    (name, query, call) =>
      reading.run(
        { name: step, given: [name, query] },
        `${kind} ${call?.adminUserID}`,
        call?.signal,
      ) as ReturnType<Read>;

  const writeInLane = (name: "setConversations" | "remove" | "settle", given: unknown, call?: StoreCall) =>
    database.inTurn(() => {
      call?.begun?.();
      return writing.run({ name, given: [given] }, "write");
    }, call);

  const calls: Calls = {
    async kept(name, query, call) {
      const asked = askedOf(name, query);
      const list = `${name} ${asked.request.owner}`;
      let isHeavy = await isHeavyRead(database, asked, query);
      if (!isHeavy && query.limit > sampleSize && !weights.isKnown(list)) {
        const sample = { ...query, limit: sampleSize };
        weights.learn(list, sample, await here.kept(name, sample));
      }
      isHeavy ||= weights.isLong(list, query);
      const read = isHeavy ? readInLane("kept", asked.text.looksAt === "list" ? "search" : "page") : here.kept;
      const page = await read(name, query, call);
      weights.learn(list, query, page);
      return page;
    },
    records: readInLane("records", "records"),
    async settle(kinds) {
      if (!(await areManyWaiting(database))) return here.settle(kinds);
      await writeInLane("settle", kinds);
    },
    async setConversations(change, call) {
      if (!isHeavyChange(change)) return here.setConversations(change, call);
      return writeInLane("setConversations", change, call) as ReturnType<Calls["setConversations"]>;
    },
    async put(records) {
      if (!isManyRecords(records)) return here.put(records);
      await database.inTurn(() => putByThread(writing, records));
    },
    async remove(keys) {
      // Only arrays go to a thread: another iterable may change while the thread takes it.
      if (!isManyRecords(keys) || !Object.values(keys).every(Array.isArray)) return here.remove(keys);
      await writeInLane("remove", keys);
    },
  };
  const store = storeInFile(database, calls, async () => void (await Promise.all([reading.close(), writing.close()])));
  return { ...store, heavyCallsWaiting: () => reading.waiting };
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
