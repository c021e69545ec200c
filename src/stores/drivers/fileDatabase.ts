import type { Row, SqlDatabase } from "../sqlite/database.js";
import { whenFree } from "./busy.js";
import type { Engine } from "./connection.js";
import type { OnStep } from "./migrateFile.js";
import { openReadable, openWritable } from "./openFile.js";
import { runnerOf } from "./runner.js";
import { joinQueue } from "./writeQueue.js";

/** How a database file is opened, whichever engine opens it. */
export interface FileOptions {
  path: string;
  readonly?: boolean;
  mappedBytes?: number;
}

/** The most that SQLite maps. */
const mostMappedBytes = 2_147_418_112;

/**
 * Opens a database file and brings it to the current schema.
 *
 * @param onMigration is told, after each step of a migration, how many of how many are done
 */
export function openFileDatabase(engine: Engine, options: FileOptions, onMigration: OnStep = () => {}): SqlDatabase {
  const { path, readonly = false, mappedBytes = 0 } = options;
  if (typeof path !== "string" || path.trim() === "") throw new TypeError('path must be a file name, or ":memory:"');
  if (!Number.isInteger(mappedBytes) || mappedBytes < 0 || mappedBytes > mostMappedBytes) {
    throw new TypeError(`mappedBytes must be an integer from 0 to ${mostMappedBytes}`);
  }
  try {
    const file = readonly
      ? openReadable(engine, path, mappedBytes)
      : openWritable(engine, path, mappedBytes, onMigration);
    return databaseOf(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot open the database ${path}: ${reason}`, { cause: error });
  }
}

function databaseOf({ connection, identity, guard, guardLength }: ReturnType<typeof openReadable>): SqlDatabase {
  const runner = runnerOf(connection);
  const { queue, leave } = joinQueue(identity);
  const unfinished = new Set<Promise<Row[][]>>();
  let isOpen = true;
  let closing: Promise<void> | undefined;

  function check(): void {
    // A closed connection says so itself, and closing it has deleted files.
    if (isOpen) guard();
  }

  async function closeOnce(): Promise<void> {
    if (unfinished.size > 0) await Promise.allSettled(unfinished);
    isOpen = false;
    leave();
    connection.close();
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
        if (isOpen) guardLength();
        const results = runner.write(statements, begun);
        // What was written into a file that was gone by then is lost.
        check();
        return results;
      });
      unfinished.add(written);
      return written.finally(() => unfinished.delete(written));
    },
    close() {
      closing ??= closeOnce();
      return closing;
    },
  };
}
