import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import { readsOf } from "../sqlite/reads.js";
import { defaultSizes } from "../sqlite/schema/sizes.js";
import { settle } from "../sqlite/settle/settle.js";
import { settledReads } from "../sqlite/settledReads.js";
import { storeOf, writesOf } from "../sqlite/store.js";
import { putInBulk } from "../sqlite/upkeep/putInBulk.js";
import type { Engine } from "./connection.js";
import { type FileDatabase, type FileOptions, openFileDatabase } from "./fileDatabase.js";
import { oneAtATime, settleInBackground } from "./settler.js";

export type { BundledStore } from "../bundledStore.js";

/** Opens a store in a file, for a public function with this name and these options. */
export function createFileStore(name: string, engine: Engine, options: FileOptions): BundledStore {
  requireKnown(name, options, ["path", "readonly", "adopt"]);
  return storeInFile(openFileDatabase(engine, options));
}

/** A store that makes every call on the thread of the caller. */
export function storeInFile(database: FileDatabase): BundledStore {
  const settleKinds = oneAtATime((kinds) => settle(database, defaultSizes, kinds));
  const stop = settleInBackground(database, settleKinds);
  return storeOf(
    settledReads(readsOf(database), database, defaultSizes, settleKinds),
    writesOf(database, defaultSizes, putInBulk(defaultSizes)),
    database,
    () => {
      stop();
      return database.close();
    },
  );
}
