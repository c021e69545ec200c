import { resolve } from "node:path";
import { type Connection, type Engine, pragma } from "./connection.js";
import { type FileGuard, guardOpenFile, identityOf } from "./fileGuard.js";
import { guardLength } from "./lengthGuard.js";
import { migrate, type OnStep, requireCurrentSchema } from "./migrateFile.js";
import { needsFilesBeside, openCopy } from "./openCopy.js";
import { type OpenFile, opened, unguarded } from "./openedFile.js";

/** Opens a file for reading and writing, and brings it to the current schema. */
export function openWritable(engine: Engine, given: string, mappedBytes: number, onMigration: OnStep): OpenFile {
  const path = fullPath(given);
  return opened(engine.connect(path, "write"), mappedBytes, (connection) => {
    if (path === inMemory) {
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
export function openReadable(engine: Engine, given: string, mappedBytes: number): OpenFile {
  const path = fullPath(given);
  try {
    return opened(engine.connect(path, "read"), mappedBytes, (connection) => {
      const identity = identityOf(path);
      requireCurrentSchema(connection);
      const guard = guardConnection(connection, path, identity);
      return { connection, identity, guard, guardLength: unguarded };
    });
  } catch (error) {
    if (engine.connectCopy === undefined || !needsFilesBeside(path, error)) throw error;
    return openCopy(engine.connectCopy, path);
  }
}

function guardConnection(connection: Connection, path: string, identity: string): FileGuard {
  const hasLog = pragma(connection, "journal_mode") === "wal";
  // SQLite makes or opens the files of WAL mode when something is read for the first time.
  connection.all("SELECT 1 FROM sqlite_schema LIMIT 1");
  const guard = guardOpenFile(path, identity, hasLog);
  // A migration takes long enough for the file to be replaced in the meantime.
  guard();
  return guard;
}

/** SQLite never takes a full path for an address with options, and it stays right when the working folder changes. */
function fullPath(given: string): string {
  const path = given.trim();
  return path === inMemory ? path : resolve(path);
}

const inMemory = ":memory:";
