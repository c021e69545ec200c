/** Reads a file before any connection that may write opens it. */
import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { failedBy } from "../sqlite/failures.js";
import { applicationID } from "../sqlite/schema/storedSchema.js";
import { migrationTimeout } from "./busy.js";
import { type Connection, type Engine, pragma } from "./connection.js";
import { hasContent } from "./fileGuard.js";
import { isWritable } from "./filePath.js";

/**
 * Connects to a file to read it, so that no new files stay beside it. In WAL mode, a connection that may write removes
 * the files beside the database when it closes as the last one. A connection that only reads leaves them there. But if
 * they hold changes, only the reading connection leaves these changes where they are.
 */
export function connectToLook(engine: Engine, path: string): Connection {
  return engine.connect(path, isWritable(path) && !hasUnfinished(path) ? "write" : "read");
}

/** Whether there are changes beside the file: a process is writing them, or has ended before it was done. */
export function hasUnfinished(path: string): boolean {
  const realPath = realpathSync(path);
  return ["-wal", "-journal"].some((suffix) => hasContent(realPath + suffix));
}

/**
 * Lets a function read a file, and throw if im-admin must not open it.
 *
 * @param isToBeUndone whether SQLite may first undo a write that a program has left unfinished
 */
export function lookAtFile(
  engine: Engine,
  path: string,
  isToBeUndone: () => boolean,
  look: (connection: Connection) => void,
): void {
  const connection = connectToLook(engine, path);
  try {
    pragma(connection, `busy_timeout = ${migrationTimeout}`);
    look(connection);
  } catch (error) {
    if (!isInterrupted(path, error)) throw error;
    if (!isToBeUndone()) throw new Error(interrupted(path), { cause: error });
  } finally {
    connection.close();
  }
}

/** Whether SQLite must undo an unfinished write before anybody can read the file. */
export function isInterrupted(path: string, error: unknown): boolean {
  return failedBy(error, "READONLY") && hasContent(journalOf(path));
}

/** A message that asks the user to let SQLite undo an unfinished write. */
export function interrupted(path: string): string {
  return `${journalOf(path)} has a write that a program left unfinished when it ended: open the database with that program once`;
}

function journalOf(path: string): string {
  return `${realpathSync(path)}-journal`;
}

/** Whether the interrupted write was ours, or the first one to a new file, which is empty when it is undone. */
export function isOwnInterrupted(path: string): boolean {
  // Opening the file is safe: this process has no lock of SQLite on it, or SQLite would have undone the write.
  return integerAt(path, 68) === applicationID || integerAt(journalOf(path), 16) === 0;
}

/**
 * A big-endian integer at a position of a file: 68 in a database is the application_id, 16 in a journal is the number
 * of pages before the write.
 */
function integerAt(path: string, position: number): number {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(4);
    readSync(file, bytes, 0, 4, position);
    return bytes.readInt32BE();
  } finally {
    closeSync(file);
  }
}
