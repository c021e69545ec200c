import { join } from "node:path";
import type { RecordSet } from "../src/records.js";
import type { BundledStore } from "../src/stores/bundledStore.js";
import { openSqliteStore } from "../src/stores/drivers/sqlite.js";
import { batchedGroupRecords, groupRecords, users, worldRecords } from "./data.js";
import { buildHost } from "./mapped.js";
import type { EditionName } from "./options.js";
import { buildPlain } from "./plain.js";
import type { Kind, Scale } from "./scale.js";

/** The folder of the databases, and the size of their lists. */
export interface World {
  edition: EditionName;
  folder: string;
  scale: Scale;
  /** How long the calls of a trial are measured, in milliseconds. */
  milliseconds: number;
  /** Where the socket of the PostgreSQL server is, if one runs. */
  postgres?: string;
}

async function fill(store: BundledStore, records: RecordSet): Promise<void> {
  await store.put(records);
  await store.close();
}

/** All lists of orderly users. Of other users, only the large group, since other lists would show the same. */
function records(scale: Scale, kind: Kind): RecordSet {
  return kind === "orderly" ? worldRecords(scale) : groupRecords(scale, kind);
}

/** Users without their group. */
const usersAlone = (scale: Scale, kind: Kind): RecordSet => ({ users: users(scale, kind) });

/** How to make each database. A copy of another one comes after it. */
const builders = {
  imAdmin: ({ path, scale, kind }) => fill(openSqliteStore({ path }), records(scale, kind)),
  plain: ({ path, scale, kind }) => buildPlain(path, records(scale, kind)),
  host: ({ path, pathOf }) => buildHost(path, pathOf("plain")),
  imAdminUsers: ({ path, scale, kind }) => fill(openSqliteStore({ path }), usersAlone(scale, kind)),
  plainUsers: ({ path, scale, kind }) => buildPlain(path, usersAlone(scale, kind)),
  /** Groups that batches of further members are put into. */
  imAdminBatches: ({ path, scale, kind }) => fill(openSqliteStore({ path }), batchedGroupRecords(scale, kind)),
  plainBatches: ({ path, scale, kind }) => buildPlain(path, batchedGroupRecords(scale, kind)),
} satisfies Record<string, (building: Building) => void | Promise<void>>;

interface Building {
  path: string;
  scale: Scale;
  kind: Kind;
  /** Where another database of the same users is. */
  pathOf(name: "plain"): string;
}

type Purpose = keyof typeof builders;

/** A database: its purpose, and the kind of its lists. */
export type DatabaseName = `${Purpose} ${Kind}`;

export function pathOf({ folder }: Pick<World, "folder">, name: DatabaseName): string {
  return join(folder, name.replace(" ", "-"));
}

/** Makes the databases of some names. */
export async function* build(world: World, names: ReadonlySet<DatabaseName>): AsyncGenerator<DatabaseName> {
  for (const purpose of Object.keys(builders) as Purpose[]) {
    for (const kind of ["orderly", "random"] as const) {
      const name: DatabaseName = `${purpose} ${kind}`;
      if (!names.has(name)) continue;
      const path = pathOf(world, name);
      await builders[purpose]({ path, scale: world.scale, kind, pathOf: (other) => pathOf(world, `${other} ${kind}`) });
      yield name;
    }
  }
}
