import BetterSqlite3 from "better-sqlite3";
import { openReadable } from "../../src/stores/drivers/openFile.js";
import { runnerOf } from "../../src/stores/drivers/runner.js";
import type { SqlDatabase } from "../../src/stores/sqlite/database.js";

/** How long a statement waits for other processes, in milliseconds; nothing else goes on here meanwhile. */
const busyTimeout = 5000;

/** Opens a database file that a store would perhaps refuse, to find out what is wrong with it or to repair it. */
export function openAnyFile(path: string, mode: "read" | "write"): SqlDatabase {
  const connection = mode === "read" ? openToRead(path) : openToWrite(path);
  connection.pragma(`busy_timeout = ${busyTimeout}`);
  // A full-text index of a large group is compared with one in a temporary file.
  connection.pragma("temp_store = DEFAULT");
  const { read, write } = runnerOf(connection);
  return {
    read: async (statements) => read(statements, () => {}),
    write: async (statements) => write(statements, () => {}),
    close: async () => void connection.close(),
  };
}

function openToRead(path: string): BetterSqlite3.Database {
  try {
    return openReadable(path, 0).connection;
  } catch {
    return new BetterSqlite3(path, { readonly: true, timeout: busyTimeout });
  }
}

function openToWrite(path: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(path, { fileMustExist: true, timeout: busyTimeout });
  // Otherwise a full-text index that cannot be opened could not be dropped either.
  return connection.unsafeMode();
}
