import type { Row, Statement, Statements } from "../sqlite/database.js";
import { busyTimeout } from "./busy.js";
import { type Connection, pragma } from "./connection.js";
import { explainFailure } from "./explainFailure.js";
import type { OpenFile } from "./openFile.js";
import { runEach } from "./runEach.js";

/** Runs statements on a connection. It calls `begun` before the first statement that must not be repeated. */
export interface Runner {
  read(statements: Statements, begun: () => void): Row[][];
  write(statements: Statements, begun: () => void): Row[][];
}

/**
 * @param waitsForReaders whether a write, once it has begun, waits for connections that read, as it must in a file without
 * WAL
 */
export function runnerOf(connection: Connection, waitsForReaders = false): Runner {
  const run = ({ text, values }: Statement) => connection.all(text, values);

  function transaction(begin: "BEGIN" | "BEGIN IMMEDIATE", runAll: () => Row[][]): Row[][] {
    connection.all(begin);
    try {
      const results = runAll();
      connection.all("COMMIT");
      return results;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function rollBack(): void {
    try {
      connection.all("ROLLBACK");
    } catch {
      // SQLite has ended the transaction itself, for example because the disk is full.
    }
  }

  return {
    read(statements, begun) {
      // One statement needs no transaction for a consistent view.
      if (Array.isArray(statements) && statements.length === 1) return statements.map(run);
      return transaction("BEGIN", () => {
        // The first statement takes the view of the database, and may find it locked.
        connection.all("SELECT 1 FROM sqlite_schema LIMIT 1");
        begun();
        return runEach(statements, run);
      });
    },
    write(statements, begun) {
      try {
        return transaction("BEGIN IMMEDIATE", () => {
          begun();
          if (waitsForReaders) pragma(connection, `busy_timeout = ${busyTimeout}`);
          return runEach(statements, run);
        });
      } finally {
        if (waitsForReaders) pragma(connection, "busy_timeout = 0");
      }
    },
  };
}

/** Runs statements on an open file as long as it is the one under its name. Failures of the whole file name it. */
export function guardedRunner({ connection, guard, guardLength }: Omit<OpenFile, "identity">, path: string): Runner {
  const runner = runnerOf(connection, pragma(connection, "journal_mode") !== "wal");

  function explaining<Result>(run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      const reason = explainFailure(error);
      if (reason === undefined) throw error;
      throw new Error(`the database ${path} failed: ${reason}`, { cause: error });
    }
  }

  return {
    read(statements, begun) {
      guard();
      return explaining(() => runner.read(statements, begun));
    },
    write(statements, begun) {
      guard();
      return explaining(() => {
        guardLength();
        return runner.write(statements, begun);
      });
    },
  };
}
