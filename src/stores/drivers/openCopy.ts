import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { type Connection, type Engine, failedBy } from "./connection.js";
import { isWritable } from "./databaseFile.js";
import { type FileGuard, guardCopiedFile, hasContent } from "./fileGuard.js";
import { requireCurrentSchema } from "./migrateFile.js";
import { type OpenFile, opened, unguarded } from "./openedFile.js";

/** Whether SQLite failed because a file in WAL mode needs files beside it, and cannot create them. */
export function needsFilesBeside(path: string, error: unknown): boolean {
  if (!failedBy(error, "CANTOPEN") && !failedBy(error, "READONLY")) return false;
  return existsSync(path) && !isWritable(dirname(realpathSync(path)));
}

/** Opens a copy of a file in memory, for reading only. */
export function openCopy(connectCopy: ConnectCopy, path: string): OpenFile {
  const { connection: copy, guard } = connectToCopy(connectCopy, path);
  return opened(copy, 0, (connection) => {
    requireCurrentSchema(connection);
    return { connection, identity: undefined, guard, guardLength: unguarded };
  });
}

/**
 * Reads a file in WAL mode into memory, where SQLite needs no files beside it. SQLite's own solution, the URI option
 * `immutable`, is compiled out of better-sqlite3.
 */
export function connectToCopy(connectCopy: ConnectCopy, given: string): { connection: Connection; guard: FileGuard } {
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

type ConnectCopy = NonNullable<Engine["connectCopy"]>;
