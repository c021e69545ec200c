import { busyTimeout } from "./busy.js";
import { type Connection, pragma } from "./connection.js";
import type { FileGuard } from "./fileGuard.js";

/** A database file with the current schema. */
export interface OpenFile {
  connection: Connection;
  /** Identifies the file in this process; undefined for a database in memory. */
  identity: string | undefined;
  /** Runs before each call, and once more when a write is over. */
  guard: FileGuard;
  /** Runs before each write. */
  guardLength: FileGuard;
}

/** Guards a database that cannot change under its name. */
export const unguarded: FileGuard = () => {};

/** The size of SQLite's cache, which serves writes above all; in units of 1024 bytes. */
const cachedKilobytes = 65_536;

/** Configures a connection, and closes it if that fails. */
export function opened(
  connection: Connection,
  mappedBytes: number,
  use: (connection: Connection) => OpenFile,
): OpenFile {
  try {
    // Some of these settings read the file, which another process may have locked.
    pragma(connection, `busy_timeout = ${busyTimeout}`);
    // Temporary tables are small. Otherwise each of them would be a file.
    pragma(connection, "temp_store = MEMORY");
    pragma(connection, `mmap_size = ${mappedBytes}`);
    pragma(connection, `cache_size = -${cachedKilobytes}`);
    return use(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}
