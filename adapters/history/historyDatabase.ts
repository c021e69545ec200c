import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { busyTimeout, isBusy, whenFree } from "../../src/stores/drivers/busy.js";
import { type Connection, type Engine, pragma } from "../../src/stores/drivers/connection.js";
import { inMemory, makeFile, requireReadable, requireWritable } from "../../src/stores/drivers/databaseFile.js";
import { explainFailure } from "../../src/stores/drivers/explainFailure.js";
import {
  type FileGuard,
  guardLength,
  guardOpenFile,
  hasContent,
  identityOf,
} from "../../src/stores/drivers/fileGuard.js";
import { loadEngine } from "../../src/stores/drivers/loadEngine.js";
import { isOwnInterrupted, lookAtFile } from "../../src/stores/drivers/lookAtFile.js";
import { useWriteAheadLog } from "../../src/stores/drivers/migrateFile.js";
import { foreign } from "../../src/stores/drivers/ownership.js";
import { runnerOf } from "../../src/stores/drivers/runner.js";
import { failedBy } from "../../src/stores/sqlite/failures.js";
import { applicationID as storeID } from "../../src/stores/sqlite/schema/storedSchema.js";
import { applicationID, schema, schemaVersion } from "./schema.js";
import { run, type Steps } from "./steps.js";

/** An open file of a history. */
export interface HistoryDatabase {
  /** Runs statements against one view of the file. */
  read<Result>(steps: Steps<Result>): Promise<Result>;
  /** Runs statements in one transaction. The disk has it before this resolves. */
  write(steps: Steps): Promise<void>;
  close(): void;
}

/**
 * Opens the file of a history. To write it, makes it where there is none.
 *
 * @throws Error that says why it cannot be opened
 */
export async function openHistoryDatabase(given: string, mode: "read" | "write"): Promise<HistoryDatabase> {
  const path = resolve(given);
  try {
    const engine = await loadEngine();
    if (mode === "write") {
      makeFile(path);
      requireWritable(path);
    } else requireReadable(path);
    if (hasContent(path)) {
      lookAtFile(
        engine,
        path,
        () => isOwnInterrupted(path),
        (connection) => void isEmpty(connection),
        busyTimeout,
      );
    }
    return connect(engine, path, mode);
  } catch (error) {
    throw new Error(`cannot ${mode === "read" ? "read" : "open"} the history ${given}: ${reasonOf(error, path)}`, {
      cause: error,
    });
  }
}

function connect(engine: Engine, path: string, mode: "read" | "write"): HistoryDatabase {
  // An empty file has nothing to be read.
  const isFile = mode === "write" || hasContent(path);
  const connection = isFile ? engine.connect(path, mode) : engine.connect(inMemory, "write");
  try {
    const runner = runnerOf(connection);
    pragma(connection, `busy_timeout = ${busyTimeout}`);
    if (mode === "write" || !isFile) {
      // In WAL mode, a committed write survives a power failure only with FULL.
      pragma(connection, "synchronous = FULL");
      // Another process may have made the tables while this one waited for the lock.
      if (isEmpty(connection)) runner.write(makeTables(connection), () => {});
      useWriteAheadLog(connection);
    }
    pragma(connection, `cache_size = -${cachedKilobytes}`);
    pragma(connection, `journal_size_limit = ${keptLogBytes}`);
    pragma(connection, "temp_store = MEMORY");
    // The first read makes SQLite open or create the files of WAL mode.
    connection.all("SELECT 1 FROM settings LIMIT 1");
    // From here on, SQLite does not wait for locks: that would block the whole process.
    pragma(connection, "busy_timeout = 0");
    const guard = isFile
      ? guardOpenFile(path, identityOf(path), pragma(connection, "journal_mode") === "wal")
      : () => {};
    return databaseOf(connection, path, guard);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function databaseOf(connection: Connection, path: string, guard: FileGuard): HistoryDatabase {
  const runner = runnerOf(connection);
  const guardWhole = guardLength(connection);
  const whenPossible = (attempt: (begun: () => void) => unknown) =>
    whenFree((begun) => {
      guard();
      return attempt(begun);
    }).catch((error) => {
      throw new Error(`the history ${path} failed: ${reasonOf(error, path)}`, { cause: error });
    });
  return {
    async read<Result>(steps: Steps<Result>) {
      let result: Result | undefined;
      function* all(): Steps {
        result = yield* steps;
      }
      await whenPossible((begun) => runner.read(all(), begun));
      return result as Result;
    },
    async write(steps) {
      await whenPossible((begun) => {
        guardWhole();
        runner.write(steps, begun);
        // If the file was gone by then, the write is lost.
        guard();
      });
    },
    close: () => connection.close(),
  };
}

function* makeTables(connection: Connection): Steps {
  if (isEmpty(connection)) for (const text of schema) yield* run(text);
}

/** The size of SQLite's cache, in units of 1024 bytes. The users of a large setting are in many pages. */
const cachedKilobytes = 16_384;

/** The length that a `-wal` may keep, in bytes. */
const keptLogBytes = 67_108_864;

/**
 * Whether a file has no tables yet.
 *
 * @throws Error if it is no history, or one of a later version
 */
function isEmpty(connection: Connection): boolean {
  const id = pragma(connection, "application_id");
  const version = Number(pragma(connection, "user_version"));
  if (id === applicationID) {
    if (version <= schemaVersion) return false;
    throw new Error(`a newer im-admin has made it, with version ${version}: update im-admin`);
  }
  const hasTables = connection.all("SELECT 1 FROM sqlite_schema LIMIT 1").length > 0;
  if (id === 0 && version === 0 && !hasTables) return true;
  const what = id === storeID ? "it is a database of im-admin, and no history" : foreign(connection);
  throw new Error(`${what}: give the history a file of its own`);
}

function reasonOf(error: unknown, path: string): string {
  if (failedBy(error, "NOTADB") && hasLines(path)) {
    return "it has lines of JSON, as histories had before the first release: move it away, or name another file";
  }
  if (isBusy(error)) return "another program has locked it for more than 10 seconds (database is locked)";
  if (failedBy(error, "READONLY")) return "it is read-only for this user: allow writing";
  if (failedBy(error, "CANTOPEN")) {
    return "this user may not write its folder, as SQLite has to, also to read: copy it to a folder of this user";
  }
  return explainFailure(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Whether a file that is no database has the lines of an earlier state. */
function hasLines(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(9);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString() === '{"entry":';
  } finally {
    closeSync(file);
  }
}
