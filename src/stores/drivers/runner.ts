import type { Row, Statement, Statements } from "../sqlite/database.js";
import type { Connection } from "./connection.js";
import { runEach } from "./runEach.js";

/** Runs statements on a connection. It calls `begun` before the first statement that must not be repeated. */
export interface Runner {
  read(statements: Statements, begun: () => void): Row[][];
  write(statements: Statements, begun: () => void): Row[][];
}

export function runnerOf(connection: Connection): Runner {
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
    write: (statements, begun) =>
      transaction("BEGIN IMMEDIATE", () => {
        begun();
        return runEach(statements, run);
      }),
  };
}
