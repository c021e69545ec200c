import { join } from "node:path";
import type { RecordSet } from "../src/records.js";
import { defaultSizes } from "../src/stores/sql/countedLists.js";
import { type BundledStore, createSqlStore } from "../src/stores/sql/store.js";
import { openSqliteStore } from "../src/stores/sqlite.js";
import { openSqliteDatabase } from "../src/stores/sqliteDatabase.js";
import { buildD1 } from "./d1/build.js";
import { users, worldRecords } from "./data.js";
import { buildPlain } from "./plain.js";
import type { Scale } from "./scale.js";

/** Where the databases are that all contestants answer from, and how large their lists are. */
export interface World {
  folder: string;
  scale: Scale;
  /** How long the calls of a trial are measured, in milliseconds. */
  milliseconds: number;
}

async function fill(store: BundledStore, records: RecordSet): Promise<void> {
  await store.put(records);
  await store.close();
}

/** An im-admin store that keeps no documents for the search, as if no list were ever large enough. */
export function openWithoutSearch(path: string): BundledStore {
  return createSqlStore(openSqliteDatabase({ path }), { sizes: { ...defaultSizes, searched: 2 ** 40 } });
}

/** How each database is made. */
const builders = {
  imAdmin: (path: string, scale: Scale) => fill(openSqliteStore({ path }), worldRecords(scale)),
  imAdminWithoutSearch: (path: string, scale: Scale) => fill(openWithoutSearch(path), worldRecords(scale)),
  plain: (path: string, scale: Scale) => buildPlain(path, worldRecords(scale)),
  /** Users whose group is still to be loaded. */
  imAdminUsers: (path: string, scale: Scale) => fill(openSqliteStore({ path }), { users: users(scale) }),
  plainUsers: (path: string, scale: Scale) => buildPlain(path, { users: users(scale) }),
  d1: buildD1,
} satisfies Record<string, (path: string, scale: Scale) => void | Promise<void>>;

export type DatabaseName = keyof typeof builders;

export function pathOf({ folder }: Pick<World, "folder">, name: DatabaseName): string {
  return join(folder, name);
}

/** Makes one of the databases. */
export async function build(world: World, name: DatabaseName): Promise<void> {
  await builders[name](pathOf(world, name), world.scale);
}
