import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { type Connection, type Engine, pragma } from "../../../src/stores/drivers/connection.js";
import { explainFailure } from "../../../src/stores/drivers/explainFailure.js";
import { fullPath, isWritable } from "../../../src/stores/drivers/filePath.js";
import { hasUnfinished, interrupted, isInterrupted } from "../../../src/stores/drivers/lookAtFile.js";
import { connectToCopy } from "../../../src/stores/drivers/openFile.js";
import { foreign, ownerOf } from "../../../src/stores/drivers/ownership.js";
import { runEach } from "../../../src/stores/drivers/runEach.js";
import { runnerOf } from "../../../src/stores/drivers/runner.js";
import type { SqlDatabase } from "../../../src/stores/sqlite/database.js";
import { failedBy, isBroken, isMalformedSchema } from "../../../src/stores/sqlite/failures.js";

/** How long a statement waits for other processes, in milliseconds. It blocks this process meanwhile. */
const busyTimeout = 5000;

/** The error for a file that is no database of im-admin. */
export class ForeignFile extends Error {}

/**
 * How a file is opened. In a `snapshot`, all reads see the file as it is when it is opened. A `rescue` is one of a file
 * with definitions that SQLite does not understand: it reads the others.
 */
export type Opening = "read" | "snapshot" | "rescue" | "repair";

/**
 * Opens a database file to check or repair it, even if a store would refuse it.
 *
 * @throws ForeignFile if it is no database of im-admin
 */
export function openAnyFile(engine: Engine, given: string, mode: Opening): SqlDatabase {
  const path = fullPath(given);
  const { connection, keeper } =
    mode === "repair" || mode === "rescue"
      ? { connection: engine.connect(path, "repair") }
      : connectToRead(engine, path);
  const isSnapshot = mode === "snapshot" || mode === "rescue";
  const close = () => {
    connection.close();
    keeper?.close();
  };
  try {
    if (keeper !== undefined) keep(keeper);
    pragma(connection, `busy_timeout = ${busyTimeout}`);
    // What a check sorts may be larger than the memory.
    pragma(connection, "temp_store = DEFAULT");
    if (mode === "rescue") readWhatCanBeRead(connection);
    requireOurs(connection, mode);
    if (isSnapshot) beginSnapshot(connection);
  } catch (error) {
    close();
    throw isInterrupted(path, error) ? new Error(interrupted(path), { cause: error }) : error;
  }
  const { read, write } = runnerOf(connection);
  return {
    read: async (statements) =>
      isSnapshot ? runEach(statements, ({ text, values }) => connection.all(text, values)) : read(statements, () => {}),
    write: async (statements) => write(statements, () => {}),
    close: async () => close(),
  };
}

/** Begins a transaction that ends with the connection. Its first statement takes the view of the file. */
function beginSnapshot(connection: Connection): void {
  connection.all("BEGIN");
  connection.all("SELECT 1 FROM sqlite_schema LIMIT 1");
}

/** Only the first statement fails then that needs the schema. */
function readWhatCanBeRead(connection: Connection): void {
  pragma(connection, "query_only = ON");
  pragma(connection, "writable_schema = ON");
  try {
    connection.all("SELECT 1 FROM sqlite_schema LIMIT 1");
  } catch (error) {
    if (!isMalformedSchema(error)) throw error;
  }
}

/** In WAL mode, a connection takes part from its first look at the file on. */
function keep(keeper: Connection): void {
  try {
    pragma(keeper, "application_id");
  } catch {
    // The connection that reads meets the same error, and reports it.
  }
}

/** Connects so that nothing is written, and nothing stays beside the file. */
function connectToRead(engine: Engine, path: string): { connection: Connection; keeper?: Connection } {
  if (hasUnfinished(path)) return { connection: engine.connect(path, "read") };
  if (isWritable(path) && isWritable(dirname(realpathSync(path)))) {
    // Reading in WAL mode makes files. A connection that could write removes them when it closes last.
    return { connection: engine.connect(path, "read"), keeper: engine.connect(path, "write") };
  }
  const { connectCopy } = engine;
  if (connectCopy !== undefined && isInWalMode(path)) return connectToCopy(connectCopy, path);
  return { connection: engine.connect(path, "read") };
}

/** Reads the header of a file. No other connection of this process may have the file open. */
function isInWalMode(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const version = Buffer.alloc(1);
    readSync(file, version, 0, 1, 18);
    return version[0] === 2;
  } finally {
    closeSync(file);
  }
}

function requireOurs(connection: Connection, mode: Opening): void {
  switch (ownerIn(connection, mode)) {
    case "nobody":
      throw new ForeignFile("it has no tables: it is no database of im-admin");
    case "another program":
      throw new ForeignFile(foreign(connection));
  }
}

function ownerIn(connection: Connection, mode: Opening) {
  try {
    return ownerOf(connection);
  } catch (error) {
    if (failedBy(error, "NOTADB")) throw new ForeignFile(explainFailure(error), { cause: error });
    // A check reports what is broken. A repair must know that the file is ours.
    if (mode !== "repair" && isBroken(error)) return "us";
    throw error;
  }
}
