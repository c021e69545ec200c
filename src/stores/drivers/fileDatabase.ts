import { isUtf8 } from "node:buffer";
import type { Json } from "../../json.js";
import type { StoreCall } from "../../store.js";
import type { Unsettled } from "../sqlite/answer.js";
import type { SqlDatabase } from "../sqlite/database.js";
import { readsFromRecords } from "../sqlite/fromRecords.js";
import { type MappedDatabase, mappedDatabase, selectSources } from "../sqlite/map/mapped.js";
import { recovering } from "../sqlite/recovery.js";
import type { OnStep } from "../steps.js";
import { busyTimeout, patience, whenFree } from "./busy.js";
import { type Engine, pragma } from "./connection.js";
import { explainFailure } from "./explainFailure.js";
import { isOwnInterrupted } from "./lookAtFile.js";
import { migrate, pendingMigrations, requireCurrentSchema } from "./migrateFile.js";
import { type FileSchema, type OpenFile, openReadable, openWritable } from "./openFile.js";
import { guardedRunner } from "./runner.js";
import { schemaWatch } from "./schemaWatch.js";
import { joinQueue } from "./writeQueue.js";

/** The options of a store in a file. */
export interface FileOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. If the file does not exist, it is created
   * with mode 600: only its owner may read and write it.
   */
  path: string;
  /**
   * Refuse all writes. The file must exist and have the current schema. A file in WAL mode (of up to 2 GiB) in a
   * read-only folder is read into memory; this fails if its `-wal` is not empty. `node:sqlite` needs a writable folder.
   * @default false
   */
  readonly?: boolean | undefined;
  /**
   * Add im-admin's tables to another program's database, which is refused otherwise. Its own tables, its `user_version`,
   * its `application_id`, if set, and its journal mode do not change. In another mode than WAL, a commit waits while
   * another connection reads, so give your connections a `busy_timeout`. Later openings do not need this option.
   * @default false
   */
  adopt?: boolean | undefined;
}

/** A database in a file, or in memory. */
export interface FileDatabase extends MappedDatabase {
  unsettled: Unsettled;
  /** Identifies the file in this process; undefined if no other connection can open the database. */
  identity: string | undefined;
  /** Lets another connection of this process write. Its turn begins when all earlier writes are over. */
  inTurn<Result>(write: () => Promise<Result>, call?: StoreCall): Promise<Result>;
  /** Resolves when all writes so far are over. */
  finished(): Promise<void>;
  isReadonly: boolean;
  /** Changes whenever another connection has written. */
  version(): unknown;
}

/**
 * Opens a database file and brings it to the current schema.
 *
 * @param onMigration is called after each step of a migration with the number of done steps and of all steps
 */
export function openFileDatabase(engine: Engine, options: FileOptions, onMigration: OnStep = () => {}): FileDatabase {
  const { path, readonly = false, adopt = false } = options;
  if (typeof path !== "string" || path.trim() === "") throw new TypeError('path must be a file name, or ":memory:"');
  // Otherwise a text such as "false" would count as true.
  if (typeof readonly !== "boolean") throw new TypeError("readonly must be true or false");
  if (typeof adopt !== "boolean") throw new TypeError("adopt must be true or false");
  const schema: FileSchema = {
    look: (connection) => void pendingMigrations(connection, adopt),
    migrate: (connection) => migrate(connection, adopt, onMigration),
    require: requireCurrentSchema,
    isToBeUndone: (path) => adopt || isOwnInterrupted(path),
  };
  try {
    const open = readonly ? openReadable : openWritable;
    return databaseOf(open(engine, path, schema), path, readonly);
  } catch (error) {
    const reason = explainFailure(error) ?? (error instanceof Error ? error.message : String(error));
    throw new Error(`cannot open the database ${path}: ${reason}`, { cause: error });
  }
}

function databaseOf({ connection, identity, ...file }: OpenFile, path: string, isReadonly: boolean): FileDatabase {
  const { queue, leave } = joinQueue(identity);
  const unfinished = new Set<Promise<unknown>>();
  let { guard } = file;
  const runner = guardedRunner({ ...file, connection, guard: () => guard() }, path);
  let closing: Promise<void> | undefined;

  async function finished(): Promise<void> {
    // A call that has looked at the schema may write only then.
    while (unfinished.size > 0) await Promise.allSettled(unfinished);
  }

  /** Remembers a part of a call until it is over. */
  function untilFinished<Result>(part: Promise<Result>): Promise<Result> {
    unfinished.add(part);
    return part.finally(() => unfinished.delete(part));
  }

  const inTurn: FileDatabase["inTurn"] = (write, call) =>
    untilFinished(
      queue.run(async () => {
        requireWanted(call);
        try {
          return await write();
        } finally {
          // If the file was gone by then, the write is lost.
          guard();
        }
      }),
    );

  async function closeOnce(): Promise<void> {
    await finished();
    // Closing deletes files beside the database. A closed connection itself reports that it is closed.
    guard = () => {};
    leave();
    connection.close();
  }

  const database: SqlDatabase = {
    read: (statements) => whenFree((begun) => runner.read(statements, begun)),
    write: (statements, call) =>
      inTurn(() =>
        whenFree((begun) => {
          requireWanted(call);
          const allBegun = () => {
            begun();
            call?.begun?.();
          };
          return queue.timed(() => runner.write(statements, allBegun));
        }),
      ),
    jsonOf: jsonUnless,
    close() {
      closing ??= closeOnce();
      return closing;
    },
  };
  // In a file without WAL, another process may lock it for a moment.
  pragma(connection, `busy_timeout = ${busyTimeout}`);
  const rows = connection.all(selectSources.text);
  const mapped = recovering(mappedDatabase(database, { isWatched: true, rows }));
  const unsettled = { patience: isReadonly ? 0 : patience, records: readsFromRecords(mapped) };
  const lookAtSchema = schemaWatch(connection, {
    database,
    patience: unsettled.patience,
    path,
    isMapped: rows.length > 0,
    forgetMap: mapped.forgetMap,
    untilFinished,
  });
  // From here on, SQLite does not wait for locks: that would block the whole process.
  pragma(connection, "busy_timeout = 0");
  const version = () => pragma(connection, "data_version");
  return { ...mapped, unsettled, lookAtSchema, identity, inTurn, finished, isReadonly, version };
}

const decoder = new TextDecoder();

/** Other programs may have written texts that are no UTF-8. A client gets U+FFFD in their place. */
export function jsonUnless(blob: unknown, unless: string | undefined): Json | undefined {
  const bytes = blob as Uint8Array<ArrayBuffer>;
  const { buffer, byteOffset, length } = bytes;
  if (unless !== undefined && Buffer.from(buffer, byteOffset, length).includes(unless)) return undefined;
  return isUtf8(bytes) ? bytes : decoder.decode(bytes);
}

/** Throws if the call was given up before its write begins. */
function requireWanted(call: StoreCall | undefined): void {
  if (call?.signal?.aborted) throw call.signal.reason;
}
