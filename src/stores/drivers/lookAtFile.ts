/** Looks at a file before a connection that may write touches it. */
import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { type Connection, type Engine, failedBy, pragma } from "./connection.js";
import { isWritable } from "./databaseFile.js";
import { hasContent } from "./fileGuard.js";
import { applicationID } from "./ownership.js";

/** How long a look waits for another process that locks the whole file, as a migration does; in milliseconds. */
const lookTimeout = 600_000;

/**
 * Connects to a file to read it, so that nothing is left beside it. In WAL mode, a connection that could write removes
 * the files beside the database when it is the last to be closed. One that only reads leaves them; but where there are
 * changes in them, it is the one that does not move them to the file.
 */
export function connectToLook(engine: Engine, path: string): Connection {
  return engine.connect(path, isWritable(path) && !hasUnfinished(path) ? "write" : "read");
}

/** Whether there are changes beside the file; some process may be about to make them, or has ended in between. */
export function hasUnfinished(path: string): boolean {
  const realPath = realpathSync(path);
  return ["-wal", "-journal"].some((suffix) => hasContent(realPath + suffix));
}

/**
 * Lets a function look at a file, and throw where it must not be opened.
 *
 * @param isToBeUndone whether SQLite is to undo a write that a program has left unfinished, before anybody can look
 */
export function lookAtFile(
  engine: Engine,
  path: string,
  isToBeUndone: () => boolean,
  look: (connection: Connection) => void,
): void {
  const connection = connectToLook(engine, path);
  try {
    pragma(connection, `busy_timeout = ${lookTimeout}`);
    look(connection);
  } catch (error) {
    if (!isInterrupted(path, error)) throw error;
    if (!isToBeUndone()) throw new Error(interrupted(path), { cause: error });
  } finally {
    connection.close();
  }
}

/** Whether a file cannot be read before SQLite has undone an unfinished write. */
export function isInterrupted(path: string, error: unknown): boolean {
  return failedBy(error, "READONLY") && hasContent(journalOf(path));
}

/** Says that somebody has to let SQLite undo an unfinished write. */
export function interrupted(path: string): string {
  return `${journalOf(path)} has a write that a program left unfinished when it ended: open the database with that program once`;
}

function journalOf(path: string): string {
  return `${realpathSync(path)}-journal`;
}

/** Whether our own write was interrupted, or the first one to a new file, which is empty when that is undone. */
export function isOwnInterrupted(path: string): boolean {
  // SQLite has no lock on the file in this process: it would have undone the write before.
  return integerAt(path, 68) === applicationID || integerAt(journalOf(path), 16) === 0;
}

/** A big-endian integer of a file: of a database, 68 is its application_id; of a journal, 16 is the number of pages before. */
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
