import type { TableMap } from "../../tables/map.js";
import type { Statement } from "../sqlite/database.js";
import { sourcesOf } from "../sqlite/map/hostSource.js";
import type { Mark } from "../sqlite/map/marks.js";
import { type MigrateMapped, pendingFrom, schemaVersion } from "../sqlite/schema/migrations.js";
import { defaultSizes } from "../sqlite/schema/sizes.js";
import { name, ourName, type Sql, sql } from "../sqlite/sql.js";
import { renewal } from "../sqlite/upkeep/repair.js";
import { type OnStep, told } from "../steps.js";
import { busyTimeout, isBusy, migrationTimeout } from "./busy.js";
import { type Connection, pragma } from "./connection.js";
import { foreign, hasForeignTables, mark, ownerOf, requireOwn } from "./ownership.js";
import { runnerOf } from "./runner.js";

/**
 * Migrates a database to the current schema, in one transaction. A file without tables of another program is switched to
 * WAL mode; a host's file keeps its mode.
 *
 * @param adopt whether to add our tables to another program's database
 */
export function migrate(connection: Connection, adopt: boolean, onStep: OnStep): void {
  pragma(connection, `busy_timeout = ${migrationTimeout}`);
  // In WAL mode, a committed write survives a power failure only with FULL.
  pragma(connection, "synchronous = FULL");
  function* migrateOnce(): Generator<Statement, void, unknown> {
    // Another process may have migrated the file while this one waited for the lock.
    yield* told(pendingMigrations(connection, adopt), onStep);
    mark(connection);
  }
  // A file with the current schema needs no lock, so it can be opened while another process writes.
  if (pendingMigrations(connection, adopt).length > 0) runnerOf(connection).write(migrateOnce(), () => {});
  pragma(connection, `busy_timeout = ${busyTimeout}`);
  // Last, so that a refused file does not change.
  if (!hasForeignTables(connection)) useWriteAheadLog(connection);
}

/**
 * Switches to WAL mode. The switch fails at once if other processes open the same new file; an empty transaction waits
 * for them.
 */
export function useWriteAheadLog(connection: Connection, attempts = 100): void {
  try {
    pragma(connection, "journal_mode = WAL");
  } catch (error) {
    if (!isBusy(error) || attempts === 1) throw error;
    connection.all("BEGIN EXCLUSIVE");
    connection.all("COMMIT");
    useWriteAheadLog(connection, attempts - 1);
  }
}

/** Requires the current schema, since a database that is opened for reading cannot be migrated. */
export function requireCurrentSchema(connection: Connection): void {
  if (ownerOf(connection) === "another program") throw new Error(foreign(connection));
  if (pendingMigrations(connection, false).length === 0) return;
  throw new Error(
    `it does not have schema version ${schemaVersion} yet, and it is opened for reading only: open it once for writing`,
  );
}

/**
 * The statements that a database still needs.
 *
 * @throws Error if it must not get them
 */
export function pendingMigrations(connection: Connection, adopt: boolean): Sql[] {
  requireOwn(connection, adopt);
  requireUtf8(connection);
  const [row] = connection.all("SELECT sqlite_version() AS version");
  requireSqlite(String(row?.["version"]));
  return pendingFrom((text) => connection.all(text), migrateMapped);
}

/** Requires an SQLite that can sort within an aggregate, since the SQL of pages does so. */
export function requireSqlite(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major * 1000 + minor >= 3044) return;
  throw new Error(`this program opens it with SQLite ${version}, and im-admin needs 3.44 or later: update the driver`);
}

/**
 * If a map is installed, a migration makes its triggers again, so that no trigger of an earlier version stays. What could
 * not be read of its rows stays set aside.
 */
const migrateMapped: MigrateMapped = (map, stored, unreadable) => {
  const marks = unreadable.map((row) => Object.values(row) as unknown as Mark);
  const sources = sourcesOf(JSON.parse(map) as TableMap);
  const triggers = stored.filter(({ type, name }) => type === "trigger" && name.startsWith(ourName("")));
  return [
    ...triggers.map((trigger) => sql`DROP TRIGGER ${name(trigger.name)}`),
    ...renewal(defaultSizes, sources, stored, marks),
  ];
};

/** Requires UTF-8. SQLite compares texts byte by byte, and bytes of UTF-16 have another order. */
function requireUtf8(connection: Connection): void {
  const encoding = pragma(connection, "encoding");
  if (encoding === "UTF-8") return;
  throw new Error(
    `its texts are in ${encoding}, which SQLite sorts in another order than UTF-8, so that pages would be wrong: make a new file, and copy the rows there`,
  );
}
