import { requireKnown } from "../../knownOptions.js";
import type { Row, SqlDatabase } from "../sqlite/database.js";
import { whenFree } from "./busy.js";
import type { OpenFile } from "./connection.js";
import type { OnStep } from "./migrateFile.js";
import { openReadable, openWritable } from "./openFile.js";
import { runnerOf } from "./runner.js";
import { joinQueue } from "./writeQueue.js";

/** How a database file is opened. */
export interface SqliteStoreOptions {
  /** The database file, made where there is none; `":memory:"` for a store that ends with the process. */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema. Where its folder cannot be written, a file in
   * WAL mode (of up to 2 GiB) is read into memory, unless it has a `-wal` that is not empty.
   * @default false
   */
  readonly?: boolean;
  /**
   * How many bytes of the file are read through a memory map, from 0 to 2,147,418,112. Random pages of a large file
   * are then about 23 % faster, and the process counts 160 to 260 MB more of resident memory; but where another program
   * truncates the file, the operating system ends the process at once (SIGBUS) instead of a call failing.
   * @default 0
   */
  mappedBytes?: number;
}

/** The most that SQLite maps. */
const mostMappedBytes = 2_147_418_112;

/**
 * Opens a database file on better-sqlite3 and brings it to the current schema.
 *
 * @param onMigration is told, after each step of a migration, how many of how many are done
 */
export function openSqliteDatabase(options: SqliteStoreOptions, onMigration: OnStep = () => {}): SqlDatabase {
  requireKnown("openSqliteStore", options, ["path", "readonly", "mappedBytes"]);
  const { path, readonly = false, mappedBytes = 0 } = options;
  if (typeof path !== "string" || path.trim() === "") throw new TypeError('path must be a file name, or ":memory:"');
  if (!Number.isInteger(mappedBytes) || mappedBytes < 0 || mappedBytes > mostMappedBytes) {
    throw new TypeError(`mappedBytes must be an integer from 0 to ${mostMappedBytes}`);
  }
  try {
    return sqliteDatabase(readonly ? openReadable(path, mappedBytes) : openWritable(path, mappedBytes, onMigration));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot open the database ${path}: ${reason}`, { cause: error });
  }
}

function sqliteDatabase({ connection, identity, guard, guardLength }: OpenFile): SqlDatabase {
  const runner = runnerOf(connection);
  const { queue, leave } = joinQueue(identity);
  const unfinished = new Set<Promise<Row[][]>>();

  function check(): void {
    // A closed connection says so itself, and closing it has deleted files.
    if (connection.open) guard();
  }

  async function close(): Promise<void> {
    if (!connection.open) return;
    if (unfinished.size > 0) await Promise.allSettled(unfinished);
    connection.close();
    leave();
  }

  return {
    read: (statements) =>
      whenFree((begun) => {
        check();
        return runner.read(statements, begun);
      }),
    async write(statements) {
      const written = queue.run((begun) => {
        check();
        if (connection.open) guardLength();
        const results = runner.write(statements, begun);
        // What was written into a file that was gone by then is lost.
        check();
        return results;
      });
      unfinished.add(written);
      return written.finally(() => unfinished.delete(written));
    },
    close,
  };
}
