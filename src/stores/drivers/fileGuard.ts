import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Connection, pragma } from "./connection.js";

/**
 * Throws if an open database is no longer the file under its name. SQLite goes on with a file that was replaced or
 * deleted: its writes are then lost, or mixed with those of other processes under the same name.
 */
export type FileGuard = () => void;

const quiet = { throwIfNoEntry: false } as const;

const none = "none";

/** The device and the number of a file, which it keeps when its name changes. */
export function identityOf(path: string): string {
  const stats = statSync(path, quiet);
  return stats === undefined ? none : `${stats.dev}:${stats.ino}`;
}

/** @throws Error if the file is another one now */
export function requireIdentity(path: string, identity: string): void {
  if (identityOf(path) === identity) return;
  throw new Error(`the database file ${path} was replaced, moved or deleted while it was open: open it again`);
}

/**
 * Guards a file that SQLite has open.
 *
 * @param identity the identity of the file when it was opened
 * @param hasLog whether it is in WAL mode, in which no other process deletes its `-wal` and `-shm` while it is open
 */
export function guardOpenFile(path: string, identity: string, hasLog: boolean): FileGuard {
  const realPath = realpathSync(path);
  const logs = (hasLog ? ["-wal", "-shm"] : []).map((suffix) => {
    const log = realPath + suffix;
    return { log, found: identityOf(log) };
  });

  function checkEach(): void {
    requireIdentity(path, identity);
    for (const { log, found } of logs) {
      if (found !== none && identityOf(log) === found) continue;
      throw new Error(`${log} was replaced, moved or deleted while the database was open: open the database again`);
    }
  }

  // The folder of a symbolic link does not change when the file behind the link does.
  if (path !== realPath) return checkEach;
  const folder = dirname(path);
  let checked: Stats | undefined;
  return () => {
    const now = statSync(folder, quiet);
    if (checked !== undefined && now !== undefined && isSameState(now, checked)) return;
    checkEach();
    checked = now !== undefined && isOldEnough(now) ? now : undefined;
  };
}

/** Two changes of a folder have different times if they are so far apart, in milliseconds. */
const apart = {
  /** On a file system that keeps whole or even seconds. */
  seconds: 3000,
  /** On any other: the clock of the operating system ticks less often than its times suggest. */
  fractions: 100,
};

/** The state of a folder changes when a file in it is added, removed or renamed, so one check covers all files. */
function isSameState(left: Stats, right: Stats): boolean {
  return left.ctimeMs === right.ctimeMs && left.ino === right.ino && left.dev === right.dev;
}

/** Whether the last change of a folder is so long ago that the next one will have another time. */
function isOldEnough({ ctimeMs }: Stats): boolean {
  const isWhole = ctimeMs % 1000 === 0;
  return Date.now() - ctimeMs >= (isWhole ? apart.seconds : apart.fractions);
}

/** Guards a file that was copied into memory: a later write to it would not be seen. */
export function guardCopiedFile(path: string): FileGuard {
  const found = stateOf(path);
  return () => {
    if (stateOf(path) === found && !hasContent(`${path}-wal`)) return;
    throw new Error(`the database file ${path} was changed since it was read into memory: open it again`);
  };
}

function stateOf(path: string): string {
  const stats = statSync(path, quiet);
  return stats === undefined ? none : `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeMs}`;
}

/** Whether the file exists and is not empty. */
export function hasContent(path: string): boolean {
  return lengthOf(path) > 0;
}

function lengthOf(path: string): number {
  return statSync(path, quiet)?.size ?? 0;
}

/** A `-wal` has a header, and a header before each page; their lengths in bytes. */
const logHeader = 32;
const frameHeader = 24;

/**
 * Detects that a file in WAL mode was truncated while it is open. SQLite itself would go on answering from pages in
 * memory, and writing. It does not detect a file that was overwritten without becoming shorter.
 */
export function guardLength(connection: Connection): FileGuard {
  const path = String(connection.all("SELECT file FROM pragma_database_list WHERE name = 'main'")[0]?.["file"]);
  const pageSize = Number(pragma(connection, "page_size"));

  /** Each page is in the file or in the log. Look at the log last: pages move from the log to the file. */
  function isTooShort(): boolean {
    const pages = Number(pragma(connection, "page_count"));
    const logged = Math.max(0, lengthOf(`${path}-wal`) - logHeader) / (pageSize + frameHeader);
    const filed = lengthOf(path) / pageSize;
    return filed < 1 || filed + logged < pages;
  }

  return () => {
    // Look twice: another process may just have made the database smaller.
    if (isTooShort() && isTooShort()) {
      throw new Error(`the database file ${path} was truncated while it was open: restore it from a backup`);
    }
  };
}
