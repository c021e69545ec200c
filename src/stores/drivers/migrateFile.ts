import type BetterSqlite3 from "better-sqlite3";
import { migrationsFrom, schemaVersion, versionTable } from "../sqlite/schema/migrations.js";
import type { Sql } from "../sqlite/sql.js";
import { busyTimeout, isBusy } from "./busy.js";

/** Is told that one more step is done. */
export type OnStep = (done: number, steps: number) => void;

/** How long an opening waits for another process that brings the file to the current schema, in milliseconds. */
const migrationTimeout = 600_000;

/** Brings a database to the current schema, in one transaction, and switches it to WAL mode. */
export function migrate(connection: BetterSqlite3.Database, onStep: OnStep): void {
  connection.pragma(`busy_timeout = ${migrationTimeout}`);
  // In WAL mode, FULL is what keeps a committed write through a power failure.
  connection.pragma("synchronous = FULL");
  const run = connection.transaction(() => {
    connection.exec(versionTable.text);
    // Another process may have done it all while this one waited for the lock.
    const statements = pendingMigrations(connection);
    for (const [index, { text }] of statements.entries()) {
      connection.exec(text);
      onStep(index + 1, statements.length);
    }
  });
  // A file with the current schema is opened without a lock, also while another process writes to it.
  if (pendingMigrations(connection).length > 0) run.immediate();
  connection.pragma(`busy_timeout = ${busyTimeout}`);
  // Last, so that a file that is refused stays as it is.
  useWriteAheadLog(connection);
}

/** Where other processes open the same new file, the switch to WAL fails at once; a transaction waits for them. */
function useWriteAheadLog(connection: BetterSqlite3.Database, attempts = 100): void {
  try {
    connection.pragma("journal_mode = WAL");
  } catch (error) {
    if (!isBusy(error) || attempts === 1) throw error;
    connection.exec("BEGIN EXCLUSIVE; COMMIT");
    useWriteAheadLog(connection, attempts - 1);
  }
}

/** Refuses a database that cannot be brought to the current schema, since it is opened for reading only. */
export function requireCurrentSchema(connection: BetterSqlite3.Database): void {
  if (pendingMigrations(connection).length > 0) {
    throw new Error(`it does not have schema version ${schemaVersion} yet, and it is opened for reading only`);
  }
}

function pendingMigrations(connection: BetterSqlite3.Database): Sql[] {
  requireUtf8(connection);
  const hasVersion = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schemaVersion'").get();
  if (hasVersion === undefined) return migrationsFrom(0);
  return migrationsFrom(Number(connection.prepare("SELECT max(version) FROM schemaVersion").pluck().get() ?? 0));
}

/** SQLite compares texts byte by byte, and the bytes of UTF-16 have another order. */
function requireUtf8(connection: BetterSqlite3.Database): void {
  const encoding = connection.pragma("encoding", { simple: true });
  if (encoding === "UTF-8") return;
  throw new Error(
    `its texts are in ${encoding}, which SQLite sorts in another order than UTF-8, so that pages would be wrong: make a new file, and copy the rows there`,
  );
}
