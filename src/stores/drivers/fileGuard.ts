import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Throws where an open database is no longer what stands under its name. SQLite goes on with a file that was replaced
 * or deleted: what it writes there is lost, or is mixed with what others write under the same name.
 */
export type FileGuard = () => void;

const quiet = { throwIfNoEntry: false } as const;

const none = "none";

/** The device and the number of a file, which it keeps when its name changes. */
export function identityOf(path: string): string {
  const stats = statSync(path, quiet);
  return stats === undefined ? none : `${stats.dev}:${stats.ino}`;
}

/** @throws Error where the file is another one than it was */
export function requireIdentity(path: string, identity: string): void {
  if (identityOf(path) === identity) return;
  throw new Error(`the database file ${path} was replaced, moved or deleted while it was open: open it again`);
}

/**
 * Guards a file that SQLite has open.
 *
 * @param identity the file's identity when it was opened
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

  // The folder of a symbolic link does not change when the file behind it does.
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

/** Changes of a folder that are so far apart have different times, in milliseconds. */
const apart = {
  /** On a file system that keeps whole seconds, or every other one. */
  seconds: 3000,
  /** On any other, where a clock of the operating system counts less often than its times suggest. */
  fractions: 100,
};

/** The state of a folder changes with each file that is added to it, removed or renamed, so that one look suffices for all. */
function isSameState(left: Stats, right: Stats): boolean {
  return left.ctimeMs === right.ctimeMs && left.ino === right.ino && left.dev === right.dev;
}

/** Whether the last change of a folder is so long ago that the next one has another time. */
function isOldEnough({ ctimeMs }: Stats): boolean {
  const isWhole = ctimeMs % 1000 === 0;
  return Date.now() - ctimeMs >= (isWhole ? apart.seconds : apart.fractions);
}

/** Guards a file that was copied into memory, where no write to it is seen any more. */
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

/** Whether there is a file, and something in it. */
export function hasContent(path: string): boolean {
  return (statSync(path, quiet)?.size ?? 0) > 0;
}
