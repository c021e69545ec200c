import { resolve } from "node:path";
import { isBusy, whenFree } from "../../src/stores/drivers/busy.js";
import { type Connection, pragma } from "../../src/stores/drivers/connection.js";
import { explainFailure } from "../../src/stores/drivers/explainFailure.js";
import { hasContent } from "../../src/stores/drivers/fileGuard.js";
import { inMemory, requireReadable } from "../../src/stores/drivers/filePath.js";
import { loadEngine } from "../../src/stores/drivers/loadEngine.js";
import { isOwnInterrupted } from "../../src/stores/drivers/lookAtFile.js";
import { useWriteAheadLog } from "../../src/stores/drivers/migrateFile.js";
import { type FileSchema, openReadable, openWritable } from "../../src/stores/drivers/openFile.js";
import { guardedRunner, runnerOf } from "../../src/stores/drivers/runner.js";
import { failedBy } from "../../src/stores/sqlite/failures.js";
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

/** SQLite's cache, in units of 1024 bytes. The users of a large setting are in many pages. */
const cachedKilobytes = 16_384;

/**
 * Opens the file of a history. To write it, makes it where there is none.
 *
 * @throws Error that says why it cannot be opened
 */
export async function openHistoryDatabase(given: string, mode: "read" | "write"): Promise<HistoryDatabase> {
  const path = resolve(given);
  try {
    const engine = await loadEngine();
    if (mode === "read") requireReadable(path);
    // An empty file has nothing to be read, and no tables.
    const name = mode === "read" && !hasContent(path) ? inMemory : path;
    const open = name === path && mode === "read" ? openReadable : openWritable;
    const file = open(engine, name, fileSchema);
    const { connection } = file;
    let { guard } = file;
    pragma(connection, `cache_size = -${cachedKilobytes}`);
    // From here on, SQLite does not wait for locks: that would block the whole process.
    pragma(connection, "busy_timeout = 0");
    const runner = guardedRunner({ ...file, guard: () => guard() }, path);
    return {
      async read<Result>(steps: Steps<Result>) {
        let result: Result | undefined;
        function* all(): Steps {
          result = yield* steps;
        }
        await whenFree((begun) => runner.read(all(), begun));
        return result as Result;
      },
      async write(steps) {
        await whenFree((begun) => runner.write(steps, begun));
        // If the file was gone by then, the write is lost.
        guard();
      },
      close() {
        // Closing deletes files beside the database. A closed connection itself reports that it is closed.
        guard = () => {};
        connection.close();
      },
    };
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`cannot ${mode === "read" ? "read" : "open"} the history ${given}: ${reason}`, { cause });
  }
}

const fileSchema: FileSchema = {
  look: (connection) => void isEmpty(connection),
  require: (connection) => void isEmpty(connection),
  isToBeUndone: isOwnInterrupted,
  migrate(connection) {
    // In WAL mode, a committed write survives a power failure only with FULL.
    pragma(connection, "synchronous = FULL");
    if (isEmpty(connection)) runnerOf(connection).write(makeTables(connection), () => {});
    useWriteAheadLog(connection);
  },
};

function* makeTables(connection: Connection): Steps {
  // Another process may have made them while this one waited for the lock.
  if (isEmpty(connection)) for (const text of schema) yield* run(text);
}

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
  throw new Error("it is another database, and no history: give the history a file of its own");
}

function reasonOf(error: unknown): string {
  if (failedBy(error, "NOTADB")) {
    return "it is no SQLite database, as histories now are (before, they had lines of JSON), or its first page is damaged: move it away, or restore a backup";
  }
  if (isBusy(error)) return "another program has locked it: end that program, or wait for it";
  return explainFailure(error) ?? (error instanceof Error ? error.message : String(error));
}
