import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import { withFollowing } from "../following.js";
import { answering, type Parts, partsHere, type Settle } from "../sqlite/answer.js";
import type { Read } from "../sqlite/reads.js";
import { defaultSizes } from "../sqlite/schema/sizes.js";
import { storeOf, type Writes, writesOf } from "../sqlite/store.js";
import { followingIn } from "../sqlite/upkeep/follow.js";
import { putInBulk } from "../sqlite/upkeep/putInBulk.js";
import type { Engine } from "./connection.js";
import { type FileDatabase, type FileOptions, openFileDatabase } from "./fileDatabase.js";
import { oneAtATime } from "./oneAtATime.js";
import { settleInBackground } from "./settler.js";

export type { BundledStore } from "../bundledStore.js";
export type { FileOptions } from "./fileDatabase.js";

/** Opens a store in a file, for a public function with this name. */
export function createFileStore(name: string, engine: Engine, options: FileOptions): BundledStore {
  requireKnown(name, options, ["path", "readonly", "adopt"]);
  const database = openFileDatabase(engine, options);
  return storeInFile(database, callsHere(database)).store;
}

/** What a store in a file does, wherever it is done: on the thread of the caller, or in a thread of the lane. */
export interface Calls extends Parts, Writes {
  records: Read;
}

/** Makes each call on this thread. */
export function callsHere(database: FileDatabase): Calls {
  return {
    ...partsHere(database, defaultSizes),
    records: database.unsettled.records,
    ...writesOf(database, defaultSizes, putInBulk(defaultSizes)),
  };
}

/** A store, and the number of pages that it has read from the records alone, since changes could not be settled. */
export interface FileStore {
  store: BundledStore;
  pagesFromRecords(): number;
}

/** A store that makes its calls as it is told. `endThreads` ends the threads that make some of them. */
export function storeInFile(database: FileDatabase, calls: Calls, endThreads = async () => {}): FileStore {
  let pagesFromRecords = 0;
  const records: Read = (name, query, call) => {
    pagesFromRecords += 1;
    return calls.records(name, query, call);
  };
  // A read looks again what is left when another one has settled.
  const settle = oneAtATime<Parameters<Settle>, void>(calls.settle);
  const stop = settleInBackground(database, settle);
  async function close(): Promise<void> {
    stop();
    await database.finished();
    // The connections of threads close first, since the last one to close removes the files beside the database.
    await endThreads();
    await database.close();
  }
  const answer = answering(database, defaultSizes, { kept: calls.kept, settle, records });
  const store = withFollowing(storeOf(answer, calls, database, close), followingIn(database, defaultSizes));
  return { store, pagesFromRecords: () => pagesFromRecords };
}
