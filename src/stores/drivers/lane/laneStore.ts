import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { StoreCall } from "../../../store.js";
import type { BundledStore } from "../../bundledStore.js";
import { defaultSizes } from "../../sqlite/nodes/tables.js";
import { type Queries, type ReadName, type Reads, readsOf } from "../../sqlite/reads.js";
import { storeOf, type Writes, writesOf } from "../../sqlite/store.js";
import { putInBulk } from "../../sqlite/upkeep/putInBulk.js";
import type { FileDatabase } from "../fileDatabase.js";
import { Lane } from "./lane.js";
import { LongLists } from "./longLists.js";
import type { ThreadStart } from "./messages.js";
import { putByThread } from "./sendRecords.js";
import { askedOf, isHeavyChange, isHeavyRead, isManyRecords, mayBeHeavy } from "./weigh.js";

/** A store, and how many of its calls wait for a thread. */
interface LaneStore {
  store: BundledStore;
  heavyCallsWaiting(): number;
}

/** Makes a store that makes heavy calls in threads of its own, so that they do not hold up others. */
export function laneStore(database: FileDatabase, start: Omit<ThreadStart, "identity">, threads: number): LaneStore {
  const reads = readsOf(database);
  const writes = writesOf(database, putInBulk(defaultSizes));
  const { identity } = database;
  const address = threads > 0 && identity !== undefined ? threadAddress() : undefined;
  if (address === undefined || identity === undefined) {
    return { store: storeOf(reads, writes, database, () => database.close()), heavyCallsWaiting: () => 0 };
  }
  // The working folder of the process may change before a thread is started.
  const file = { ...start.file, path: resolve(start.file.path.trim()) };
  const lane = new Lane(address, { ...start, file, identity }, threads);
  const longLists = new LongLists();

  function read<Name extends ReadName>(name: Name): Reads[Name] {
    async function weighed(query: Queries[Name], call: StoreCall | undefined) {
      const asked = askedOf(name, query);
      const list = `${asked.list} ${asked.owner}`;
      const isHeavy = longLists.has(list) || (mayBeHeavy(asked) && (await isHeavyRead(database, asked)));
      const line = `${asked.looksAtAll ? "search" : "page"} ${call?.adminUserID}`;
      const reading = isHeavy
        ? (lane.run({ name: "read", list: name, query }, line, { signal: call?.signal }) as ReturnType<Reads[Name]>)
        : reads[name](query);
      const page = await reading;
      const { items, total } = page ?? { items: "", total: 0 };
      longLists.learn(list, items.length, Math.max(0, Math.min(asked.limit, total - asked.offset)));
      return page;
    }
    return weighed as Reads[Name];
  }

  const heavyReads: Reads = {
    listGroupMembers: read("listGroupMembers"),
    listBlacks: read("listBlacks"),
    answerBlacks: read("answerBlacks"),
    listJoinedGroups: read("listJoinedGroups"),
    listReceivedGroupRequests: read("listReceivedGroupRequests"),
    listNotificationAccounts: read("listNotificationAccounts"),
  };
  const heavyWrites: Writes = {
    async setConversations(change, call) {
      if (!isHeavyChange(change)) return writes.setConversations(change, call);
      const written = database.inTurn(() => {
        call?.begun?.();
        return lane.run({ name: "setConversations", change }, "setConversations");
      }, call);
      return written as ReturnType<Writes["setConversations"]>;
    },
    async put(records) {
      if (!isManyRecords(records)) return writes.put(records);
      await database.inTurn(() => putByThread(lane, records));
    },
    async remove(keys) {
      // What iterates may change while a thread takes it, so that only arrays are handed over.
      if (!isManyRecords(keys) || !Object.values(keys).every(Array.isArray)) return writes.remove(keys);
      await database.inTurn(() => lane.run({ name: "remove", keys }, "remove"));
    },
  };

  const store = storeOf(heavyReads, heavyWrites, database, async () => {
    // A thread's connection closes before ours, which tidies up the files as the last one.
    await database.settled();
    await lane.close();
    await database.close();
  });
  return { store, heavyCallsWaiting: () => lane.waiting };
}

const fileName = "laneThread.js";
let hasWarned = false;

/** Where the code of a thread is: beside this module, or, where a bundler has taken it elsewhere, in the installed package. */
function threadAddress(): URL | undefined {
  // In a bundle of CommonJS a module has no address, but it has a file name.
  const here = import.meta.url ?? pathToFileURL(__filename).href;
  const candidates = [() => here, () => pathToFileURL(createRequire(here).resolve("im-admin/sqlite")).href];
  for (const [index, candidate] of candidates.entries()) {
    try {
      const address = new URL(index === 0 ? fileName : `lane/${fileName}`, candidate());
      if (existsSync(address)) return address;
    } catch {
      // It is not installed.
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
