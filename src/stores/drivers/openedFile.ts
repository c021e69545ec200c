import { busyTimeout } from "./busy.js";
import { type Connection, pragma } from "./connection.js";
import type { FileGuard } from "./fileGuard.js";

/** A database file with the current schema. */
export interface OpenFile {
  connection: Connection;
  /** Names the file in this process; undefined for a database in memory. */
  identity: string | undefined;
  /** Runs before each call, and once more when a write is over. */
  guard: FileGuard;
  /** Runs before each write. */
  guardLength: FileGuard;
}

/** Guards what cannot change. */
export const unguarded: FileGuard = () => {};

/** How much of a file is kept in memory at most, for writes above all; in units of 1024 bytes. */
const cachedKilobytes = 65_536;

/** Makes settings on a connection, and closes it where it cannot be used. */
export function opened(
  connection: Connection,
  mappedBytes: number,
  use: (connection: Connection) => OpenFile,
): OpenFile {
  try {
    // Some of these settings look at the file, which another process may be locking.
    pragma(connection, `busy_timeout = ${busyTimeout}`);
    // What SQLite sets aside for a statement is small, and would otherwise be a temporary file each time.
    pragma(connection, "temp_store = MEMORY");
    pragma(connection, `mmap_size = ${mappedBytes}`);
    pragma(connection, `cache_size = -${cachedKilobytes}`);
    const file = use(connection);
    // From here on nothing waits inside SQLite, which would stop the whole process.
    pragma(connection, "busy_timeout = 0");
    return file;
  } catch (error) {
    connection.close();
    throw error;
  }
}
