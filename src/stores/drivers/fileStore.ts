import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import { withFollowing } from "../following.js";
import { each, type Reads, readsOf } from "../sqlite/reads.js";
import { defaultSizes } from "../sqlite/schema/sizes.js";
import { settle } from "../sqlite/settle/settle.js";
import { type Settle, settledReads } from "../sqlite/settledReads.js";
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
  return storeInFile(openFileDatabase(engine, options)).store;
}

/** How a store in a file makes calls on other threads than that of the caller. */
interface Elsewhere {
  reads: Reads;
  /** The same from the records alone. */
  readsFromRecords: Reads;
  writes: Writes;
  settle: Settle;
  /** Ends the threads. */
  close(): Promise<unknown>;
}

/** A store, and the number of pages that it has read from the records alone, since changes could not be settled. */
export interface FileStore {
  store: BundledStore;
  pagesFromRecords(): number;
}

/** A store that makes every call on the thread of the caller, or as it is told. */
export function storeInFile(database: FileDatabase, elsewhere: Partial<Elsewhere> = {}): FileStore {
  const { reads = readsOf(database), writes = writesOfFile(database) } = elsewhere;
  let pages = 0;
  const readsFromRecords = each(elsewhere.readsFromRecords ?? database.unsettled.reads, (read) => (query, call) => {
    pages += 1;
    return read(query, call);
  });
  const unsettled = { ...database.unsettled, reads: readsFromRecords };
  // A read looks again what is left when another one has settled.
  const settleKinds = oneAtATime<Parameters<Settle>, void>(
    elsewhere.settle ?? ((kinds) => settle(database, defaultSizes, kinds)),
  );
  const stop = settleInBackground(database, settleKinds);
  async function close(): Promise<void> {
    stop();
    await database.finished();
    // The connections of threads close first, since the last one to close removes the files beside the database.
    await elsewhere.close?.();
    await database.close();
  }
  const settled = settledReads(reads, { ...database, unsettled }, defaultSizes, settleKinds);
  const store = withFollowing(storeOf(settled, writes, database, close), followingIn(database, defaultSizes));
  return { store, pagesFromRecords: () => pages };
}

export function writesOfFile(database: FileDatabase): Writes {
  return writesOf(database, defaultSizes, putInBulk(defaultSizes));
}
