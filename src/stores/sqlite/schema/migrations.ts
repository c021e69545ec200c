import type { Row, SqlDatabase } from "../database.js";
import { copy } from "../failures.js";
import { ourName, raw, type Sql } from "../sql.js";
import { migrationTexts } from "./migration.js";
import {
  hasVersionTable,
  isUnreleased,
  type StoredObject,
  selectStored,
  storedOf,
  unreleased,
} from "./storedSchema.js";

/** The version of the schema that this code reads and writes. */
export const schemaVersion = migrationTexts.length;

/** The statements of a file. An empty line is between two. */
export function statementsOf(text: string): Sql[] {
  return text.trim().replace(/;$/, "").split(";\n\n").map(raw);
}

/**
 * Gives the statements that bring a database to the current version whose records are mapped, and some of whose rows could
 * not be read when they were last settled.
 */
export type MigrateMapped = (map: string, stored: readonly StoredObject[], unreadable: readonly Row[]) => Sql[];

/** Asks a database by queries, whose rows it is passed, and returns the statements that the database still needs. */
function* look(migrateMapped: MigrateMapped): Generator<string, Sql[], Row[]> {
  const stored = storedOf(yield selectStored.text);
  const versions = hasVersionTable(stored)
    ? yield "SELECT max(version) AS version FROM im_admin_schema_version"
    : undefined;
  const version = Number(versions?.[0]?.["version"] ?? 0);
  if (version > schemaVersion) {
    throw new Error(
      `its schema has version ${version}, and this im-admin knows versions up to ${schemaVersion}: use the newer im-admin that made it`,
    );
  }
  if (isUnreleased(stored)) throw new Error(`${unreleased}: ${copy}`);
  if (version === schemaVersion) return [];
  if (version === 0) requireNothingOfOurs(stored);
  const [mapped] = version === 0 ? [] : yield "SELECT map FROM im_admin_table_map";
  if (mapped !== undefined) {
    return migrateMapped(String(mapped["map"]), stored, yield "SELECT * FROM im_admin_unreadable");
  }
  return migrationTexts.slice(version).flatMap(statementsOf);
}

/**
 * The statements that a database still needs, from an engine that answers at once.
 *
 * @throws Error where the database was made by a newer im-admin, or its records are mapped and nothing migrates that
 */
export function pendingFrom(all: (text: string) => Row[], migrateMapped: MigrateMapped = refuseMapped): Sql[] {
  const looking = look(migrateMapped);
  let step = looking.next();
  while (!step.done) step = looking.next(all(step.value));
  return step.value;
}

/**
 * Brings a database to the current schema, in one transaction; one that has it is left alone. Tables of a host are left
 * alone, too.
 *
 * Rejects where the database was made by a newer im-admin; nothing is changed then.
 */
export async function migrate({ read, write }: Pick<SqlDatabase, "read" | "write">): Promise<void> {
  async function pending(): Promise<Sql[]> {
    const looking = look(refuseMapped);
    let step = looking.next();
    while (!step.done) step = looking.next((await read([raw(step.value)]))[0] ?? []);
    return step.value;
  }
  const statements = await pending();
  if (statements.length === 0) return;
  try {
    await write(statements);
  } catch (error) {
    // Another process may have been faster; the transaction of the slower one has left nothing behind.
    if ((await pending()).length > 0) throw error;
  }
}

/** What the lists read of a host's tables has to be made of the map, which a Worker does not carry the code for. */
function refuseMapped(_map: string): never {
  throw new Error(
    `its records are mapped to tables of your own, and it has not schema version ${schemaVersion} yet: run the "remove" statements of the im-admin that has mapped them, migrate, and run the "install" statements of this one`,
  );
}

/** Requires that a database without a version has nothing that im-admin makes. */
function requireNothingOfOurs(stored: readonly StoredObject[]): void {
  const made = stored.find(({ name }) => name.startsWith(ourName("")));
  if (made === undefined) return;
  throw new Error(
    `it has the ${made.type} ${made.name} of im-admin, but ${ourName("schemaVersion")} does not say which version it has: im-admin check --repair mends a file, anything else needs a backup`,
  );
}
