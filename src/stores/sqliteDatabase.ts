import { setTimeout as delay } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { requireKnown } from "../options.js";
import type { Row, SqlDatabase, Statement, Statements } from "./sql/database.js";
import { migrations, migrationsFrom, schemaVersion, versionTable } from "./sql/migrations.js";
import { created } from "./sql/text.js";

/** How a database file is opened. */
export interface SqliteStoreOptions {
  /** The database file, made where there is none; `":memory:"` for a store that ends with the process. */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema.
   * @default false
   */
  readonly?: boolean;
}

/** How long a write waits for another process's write, in milliseconds. */
const busyTimeout = 5000;
/** How long it waits between two attempts, at most. */
const busyInterval = 20;

/** How much of a file is read through the memory map of the process; only addresses are reserved for the rest. */
const mappedBytes = 2 ** 31 - 2 ** 16;

/** How much of a file is kept in memory at most, for writes above all; in units of 1024 bytes. */
const cachedKilobytes = 65_536;

/**
 * Opens a database file on better-sqlite3 and brings it to the current schema.
 *
 * @param onMigration is told, after each step of a migration, how many of how many are done
 */
export function openSqliteDatabase(options: SqliteStoreOptions, onMigration: OnStep = () => {}): SqlDatabase {
  requireKnown("openSqliteStore", options, ["path", "readonly"]);
  const { path, readonly = false } = options;
  if (typeof path !== "string" || path.trim() === "") throw new TypeError('path must be a file name, or ":memory:"');
  let connection: BetterSqlite3.Database | undefined;
  try {
    connection = new BetterSqlite3(path, { readonly, timeout: busyTimeout });
    // What SQLite sets aside for a statement is small, and would otherwise be a temporary file each time.
    connection.pragma("temp_store = MEMORY");
    connection.pragma(`mmap_size = ${mappedBytes}`);
    connection.pragma(`cache_size = -${cachedKilobytes}`);
    if (readonly) requireCurrentSchema(connection);
    else migrate(connection, onMigration);
    // From here on nothing waits inside SQLite, which would stop the whole process.
    connection.pragma("busy_timeout = 0");
    return sqliteDatabase(connection);
  } catch (error) {
    connection?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot open the database ${path}: ${reason}`, { cause: error });
  }
}

/** Is told that one more step is done. */
export type OnStep = (done: number, steps: number) => void;

function migrate(connection: BetterSqlite3.Database, onStep: OnStep): void {
  // In WAL mode, FULL is what keeps a committed write through a power failure.
  connection.pragma("synchronous = FULL");
  const run = connection.transaction(() => {
    connection.exec(versionTable);
    const others = othersObjects(connection);
    const statements = pendingMigrations(connection);
    for (const [index, statement] of statements.entries()) {
      connection.exec(statement);
      onStep(index + 1, statements.length);
    }
    for (const { name, sql } of others) {
      const isThere = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined;
      if (!isThere) connection.exec(sql);
    }
  });
  // A file with the current schema is opened without a lock, also while another process writes to it.
  if (pendingMigrations(connection).length > 0) {
    // A table that is made anew keeps what others have that refers to it; within a transaction this has no effect.
    connection.pragma("foreign_keys = OFF");
    connection.pragma("legacy_alter_table = ON");
    run.immediate();
    connection.pragma("legacy_alter_table = OFF");
    connection.pragma("foreign_keys = ON");
  }
  // Last, so that a file that is refused stays as it is.
  useWriteAheadLog(connection);
}

/** Indexes and triggers that others have made, and that would go with a table of ours. */
function othersObjects(connection: BetterSqlite3.Database): { name: string; sql: string }[] {
  const ours = new Set(migrations.flat().map((sql) => created(sql).name));
  const objects = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[];
  return objects.filter(({ name }) => !ours.has(name));
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

function requireCurrentSchema(connection: BetterSqlite3.Database): void {
  if (pendingMigrations(connection).length > 0) {
    throw new Error(`it does not have schema version ${schemaVersion} yet, and it is opened for reading only`);
  }
}

function pendingMigrations(connection: BetterSqlite3.Database): string[] {
  const hasVersion = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schemaVersion'").get();
  if (hasVersion === undefined) return migrationsFrom(0);
  return migrationsFrom(Number(connection.prepare("SELECT max(version) FROM schemaVersion").pluck().get() ?? 0));
}

/** What a statement gives that only writes; a long write has very many. */
const none: Row[] = [];

function sqliteDatabase(connection: BetterSqlite3.Database): SqlDatabase {
  const prepared = new Map<string, BetterSqlite3.Statement<unknown[], Row>>();

  function run({ sql, values }: Statement): Row[] {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = connection.prepare<unknown[], Row>(sql);
      prepared.set(sql, statement);
    }
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return none;
  }

  const runAll = connection.transaction((statements: Statements, begun: () => void) => {
    begun();
    const iterator = statements[Symbol.iterator]();
    const results: Row[][] = [];
    try {
      for (let next = iterator.next(); !next.done; next = iterator.next(results.at(-1))) results.push(run(next.value));
    } catch (error) {
      // Whoever gives the statements has files to close.
      iterator.return?.();
      throw error;
    }
    return results;
  });

  /** Waits for other processes without stopping this one; what has begun is never run again. */
  async function whenFree(mode: "deferred" | "immediate", statements: Statements): Promise<Row[][]> {
    const deadline = performance.now() + busyTimeout;
    let hasBegun = false;
    for (;;) {
      try {
        return runAll[mode](statements, () => {
          hasBegun = true;
        });
      } catch (error) {
        if (!isBusy(error) || hasBegun || performance.now() > deadline) throw error;
      }
      await delay(Math.random() * busyInterval);
    }
  }

  return {
    read: (statements) => whenFree("deferred", statements),
    write: (statements) => whenFree("immediate", statements),
    close: async () => void connection.close(),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
