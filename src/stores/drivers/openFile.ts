import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { failedBy } from "../sqlite/failures.js";
import { busyTimeout } from "./busy.js";
import { type Connection, type Engine, pragma } from "./connection.js";
import { type FileGuard, guardCopiedFile, guardLength, guardOpenFile, hasContent, identityOf } from "./fileGuard.js";
import { fullPath, inMemory, isWritable, makeFile, requireReadable, requireWritable } from "./filePath.js";
import { lookAtFile } from "./lookAtFile.js";

/** What a program wants in a file. */
export interface FileSchema {
  /** Throws if this file must not be opened for writing. It runs before anything may change in the file. */
  look(connection: Connection): void;
  /** Brings a file that was opened for writing to the current schema. */
  migrate(connection: Connection): void;
  /** Throws if a file that is opened for reading only has not the current schema. */
  require(connection: Connection): void;
  /** Whether SQLite may first undo a write that a program has left unfinished. */
  isToBeUndone(path: string): boolean;
}

/** A database file with the current schema. */
export interface OpenFile {
  connection: Connection;
  /** Identifies the file in this process; undefined if no other connection can open the database. */
  identity: string | undefined;
  /** Runs before each call, and once more when a write is over. */
  guard: FileGuard;
  /** Runs before each write. */
  guardLength: FileGuard;
}

/** Guards a database that cannot change under its name. */
const unguarded: FileGuard = () => {};

/** The size of SQLite's cache, which serves writes above all; in units of 1024 bytes. */
const cachedKilobytes = 65_536;

/**
 * The length that a `-wal` may keep, in bytes. A large write makes it longer, and otherwise every copy of the folder
 * would have this length from then on. Usual writes reuse the rest.
 */
const keptLogBytes = 67_108_864;

/** Configures a connection, and closes it if that fails. */
function opened(connection: Connection, use: () => Omit<OpenFile, "connection">): OpenFile {
  try {
    // Some of these settings read the file, which another process may have locked.
    pragma(connection, `busy_timeout = ${busyTimeout}`);
    // Temporary tables are small. Otherwise each of them would be a file.
    pragma(connection, "temp_store = MEMORY");
    // If another program truncates a file that is mapped into memory, the system ends the process at once.
    pragma(connection, "mmap_size = 0");
    pragma(connection, `cache_size = -${cachedKilobytes}`);
    pragma(connection, `journal_size_limit = ${keptLogBytes}`);
    return { connection, ...use() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Opens a file for reading and writing, and migrates it to the current schema. */
export function openWritable(engine: Engine, given: string, schema: FileSchema): OpenFile {
  const path = fullPath(given);
  const isFile = path !== inMemory;
  if (isFile) {
    makeFile(path);
    requireWritable(path);
  }
  if (isFile && hasContent(path)) {
    lookAtFile(engine, path, () => schema.isToBeUndone(path), schema.look);
  }
  const connection = engine.connect(path, "write");
  return opened(connection, () => {
    const identity = isFile ? identityOf(path) : undefined;
    schema.migrate(connection);
    if (identity === undefined) return { identity, guard: unguarded, guardLength: unguarded };
    return guarded(connection, path, identity);
  });
}

/** Opens a file for reading only. */
export function openReadable(engine: Engine, given: string, schema: FileSchema): OpenFile {
  const path = fullPath(given);
  requireReadable(path);
  try {
    lookAtFile(engine, path, () => false, schema.require);
    const connection = engine.connect(path, "read");
    return opened(connection, () => {
      const identity = identityOf(path);
      schema.require(connection);
      return guarded(connection, path, identity);
    });
  } catch (error) {
    if (engine.connectCopy === undefined || !needsFilesBeside(path, error)) throw error;
    const { connection, guard } = connectToCopy(engine.connectCopy, path);
    return opened(connection, () => {
      schema.require(connection);
      return { identity: undefined, guard, guardLength: unguarded };
    });
  }
}

function guarded(connection: Connection, path: string, identity: string): Omit<OpenFile, "connection"> {
  const hasLog = pragma(connection, "journal_mode") === "wal";
  // The first read makes SQLite open or create the files of WAL mode.
  connection.all("SELECT 1 FROM sqlite_schema LIMIT 1");
  const guard = guardOpenFile(path, identity, hasLog);
  // The file may have been replaced during a migration.
  guard();
  return { identity, guard, guardLength: guardLength(connection) };
}

/** Whether SQLite failed because a file in WAL mode needs files beside it, and cannot create them. */
function needsFilesBeside(path: string, error: unknown): boolean {
  if (!failedBy(error, "CANTOPEN") && !failedBy(error, "READONLY")) return false;
  return existsSync(path) && !isWritable(dirname(realpathSync(path)));
}

/**
 * Reads a file in WAL mode into memory, for reading only: there, SQLite needs no files beside it. SQLite's own solution,
 * the URI option `immutable`, is compiled out of better-sqlite3.
 */
export function connectToCopy(
  connectCopy: NonNullable<Engine["connectCopy"]>,
  given: string,
): { connection: Connection; guard: FileGuard } {
  const path = realpathSync(given);
  const unfinished = ["-wal", "-journal"].find((suffix) => hasContent(path + suffix));
  if (unfinished !== undefined) {
    throw new Error(
      `${path}${unfinished} has changes that SQLite cannot read where nothing can be written: open the database once where it can be written`,
    );
  }
  const guard = guardCopiedFile(path);
  const content = readFileSync(path);
  // Set both versions of the file format to 1: 2 means WAL mode, which a database in memory cannot have.
  content.fill(1, 18, 20);
  guard();
  return { connection: connectCopy(content), guard };
}
