import { type Connection, type Engine, pragma } from "./connection.js";
import { fullPath, inMemory, makeFile, requireReadable, requireWritable } from "./databaseFile.js";
import { type FileGuard, guardOpenFile, hasContent, identityOf } from "./fileGuard.js";
import { guardLength } from "./lengthGuard.js";
import { isOwnInterrupted, lookAtFile } from "./lookAtFile.js";
import { migrate, type OnStep, pendingMigrations, requireCurrentSchema } from "./migrateFile.js";
import { needsFilesBeside, openCopy } from "./openCopy.js";
import { type OpenFile, opened, unguarded } from "./openedFile.js";

/**
 * The length that a `-wal` may keep, in bytes. A large write makes it longer, and otherwise every copy of the folder
 * would have this length from then on. Usual writes reuse the rest.
 */
const keptLogBytes = 67_108_864;

/** The options for opening a file for writing. */
export interface Opening {
  /** How many bytes of the file are read through a memory map. */
  mappedBytes: number;
  /** Whether to add our tables to another program's database. */
  adopt: boolean;
}

/** Opens a file for reading and writing, and migrates it to the current schema. */
export function openWritable(engine: Engine, given: string, opening: Opening, onMigration: OnStep): OpenFile {
  const { mappedBytes, adopt } = opening;
  const path = fullPath(given);
  if (path !== inMemory) {
    makeFile(path);
    requireWritable(path);
    if (hasContent(path)) {
      const isToBeUndone = () => adopt || isOwnInterrupted(path);
      lookAtFile(engine, path, isToBeUndone, (connection) => pendingMigrations(connection, adopt));
    }
  }
  return opened(engine.connect(path, "write"), mappedBytes, (connection) => {
    pragma(connection, `journal_size_limit = ${keptLogBytes}`);
    if (path === inMemory) {
      migrate(connection, adopt, onMigration);
      return { connection, identity: undefined, guard: unguarded, guardLength: unguarded };
    }
    const identity = identityOf(path);
    migrate(connection, adopt, onMigration);
    const guard = guardConnection(connection, path, identity);
    return { connection, identity, guard, guardLength: guardLength(connection) };
  });
}

/** Opens a file for reading only. */
export function openReadable(engine: Engine, given: string, mappedBytes: number): OpenFile {
  const path = fullPath(given);
  requireReadable(path);
  try {
    lookAtFile(engine, path, () => false, requireCurrentSchema);
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
  // The first read makes SQLite open or create the files of WAL mode.
  connection.all("SELECT 1 FROM sqlite_schema LIMIT 1");
  const guard = guardOpenFile(path, identity, hasLog);
  // The file may have been replaced during a migration.
  guard();
  return guard;
}
