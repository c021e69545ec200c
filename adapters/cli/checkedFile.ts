import { type Connection, type Engine, pragma } from "../../src/stores/drivers/connection.js";
import { openReadable } from "../../src/stores/drivers/openFile.js";
import { runnerOf } from "../../src/stores/drivers/runner.js";
import type { SqlDatabase } from "../../src/stores/sqlite/database.js";

/** How long a statement waits for other processes, in milliseconds; nothing else goes on here meanwhile. */
const busyTimeout = 5000;

/** Opens a database file that a store would perhaps refuse, to find out what is wrong with it or to repair it. */
export function openAnyFile(engine: Engine, path: string, mode: "read" | "repair"): SqlDatabase {
  const connection = mode === "read" ? openToRead(engine, path) : engine.connect(path, mode);
  pragma(connection, `busy_timeout = ${busyTimeout}`);
  // A full-text index of a large group is compared with one in a temporary file.
  pragma(connection, "temp_store = DEFAULT");
  const { read, write } = runnerOf(connection);
  return {
    read: async (statements) => read(statements, () => {}),
    write: async (statements) => write(statements, () => {}),
    close: async () => connection.close(),
  };
}

function openToRead(engine: Engine, path: string): Connection {
  try {
    return openReadable(engine, path, 0).connection;
  } catch {
    return engine.connect(path, "read");
  }
}
