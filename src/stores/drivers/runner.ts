import type { Row, Statement, Statements } from "../sqlite/database.js";
import { busyTimeout } from "./busy.js";
import { type Connection, pragma } from "./connection.js";
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
