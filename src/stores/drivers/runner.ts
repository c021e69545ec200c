import type { Row, Statement, Statements } from "../sqlite/database.js";
import type { Connection } from "./connection.js";
import { runEach } from "./runEach.js";

/** Runs statements on a connection; `begun` is called before the first of them that must not be run again. */
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
      // SQLite has ended the transaction itself, as it does when the disk is full.
    }
  }

  return {
    read(statements, begun) {
      // A statement has one view by itself.
      if (Array.isArray(statements) && statements.length === 1) return statements.map(run);
      return transaction("BEGIN", () => {
        // The transaction gets its view of the database with its first statement, which may have to wait for others.
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
