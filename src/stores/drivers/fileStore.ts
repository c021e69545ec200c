import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import { defaultSizes } from "../sqlite/nodes/nodeTables.js";
import { createSqlStore } from "../sqlite/store.js";
import { putInBulk } from "../sqlite/upkeep/putInBulk.js";
import type { Engine } from "./connection.js";
import { type FileOptions, openFileDatabase } from "./fileDatabase.js";

export type { BundledStore } from "../bundledStore.js";

/** Opens a store in a file, for a public function with this name and these options. */
export function createFileStore(name: string, engine: Engine, options: FileOptions): BundledStore {
  requireKnown(name, options, ["path", "readonly", "adopt"]);
  return createSqlStore(openFileDatabase(engine, options), putInBulk(defaultSizes));
}
