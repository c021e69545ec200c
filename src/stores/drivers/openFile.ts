import { resolve } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { busyTimeout } from "./busy.js";
import { type OpenFile, opened, unguarded } from "./connection.js";
import { type FileGuard, guardOpenFile, identityOf } from "./fileGuard.js";
import { guardLength } from "./lengthGuard.js";
import { migrate, type OnStep, requireCurrentSchema } from "./migrateFile.js";
import { needsFilesBeside, openCopy } from "./openCopy.js";

/** Opens a file for reading and writing, and brings it to the current schema. */
export function openWritable(given: string, mappedBytes: number, onMigration: OnStep): OpenFile {
  const path = fullPath(given);
  return opened(new BetterSqlite3(path), mappedBytes, (connection) => {
    if (connection.memory) {
      migrate(connection, onMigration);
      return { connection, identity: undefined, guard: unguarded, guardLength: unguarded };
    }
    const identity = identityOf(path);
    migrate(connection, onMigration);
    const guard = guardConnection(connection, path, identity);
    return { connection, identity, guard, guardLength: guardLength(connection) };
  });
}

/** Opens a file for reading only. */
export function openReadable(given: string, mappedBytes: number): OpenFile {
  const path = fullPath(given);
  try {
    return opened(new BetterSqlite3(path, { readonly: true, timeout: busyTimeout }), mappedBytes, (connection) => {
      const identity = identityOf(path);
      requireCurrentSchema(connection);
      const guard = guardConnection(connection, path, identity);
      return { connection, identity, guard, guardLength: unguarded };
    });
  } catch (error) {
    if (!needsFilesBeside(path, error)) throw error;
    return openCopy(path);
  }
}

function guardConnection(connection: BetterSqlite3.Database, path: string, identity: string): FileGuard {
  const hasLog = connection.pragma("journal_mode", { simple: true }) === "wal";
  // SQLite makes or opens the files of WAL mode when something is read for the first time.
  connection.prepare("SELECT 1 FROM sqlite_schema").get();
  const guard = guardOpenFile(path, identity, hasLog);
  // A migration takes long enough for the file to be replaced in the meantime.
  guard();
  return guard;
}

/** SQLite never takes a full path for an address with options, and it stays right when the working folder changes. */
function fullPath(given: string): string {
  const path = given.trim();
  return path === ":memory:" ? path : resolve(path);
}
