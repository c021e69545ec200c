import type BetterSqlite3 from "better-sqlite3";
import type { Row, Statement, Statements } from "../sqlite/database.js";

/** Runs statements on a connection; `begun` is called before the first of them that must not be run again. */
export interface Runner {
  read(statements: Statements, begun: () => void): Row[][];
  write(statements: Statements, begun: () => void): Row[][];
}

/** Shared empty result of statements that return no rows. */
const none: Row[] = [];

export function runnerOf(connection: BetterSqlite3.Database): Runner {
  const prepared = new Map<string, BetterSqlite3.Statement<unknown[], Row>>();

  function run({ text, values }: Statement): Row[] {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = connection.prepare<unknown[], Row>(text);
      prepared.set(text, statement);
    }
    if (statement.reader) return statement.all(values);
    statement.run(values);
    return none;
  }

  function runEach(statements: Statements): Row[][] {
    const iterator = statements[Symbol.iterator]();
    const results: Row[][] = [];
    try {
      for (let next = iterator.next(); !next.done; next = iterator.next(results.at(-1))) results.push(run(next.value));
    } catch (error) {
      // Whoever gives the statements has files to close.
      iterator.return?.();
      throw error;
    }
    return results;
  }

  const readAll = connection.transaction((statements: Statements, begun: () => void) => {
    // The transaction gets its view of the database with its first statement, which may have to wait for others.
    run(anyRead);
    begun();
    return runEach(statements);
  });
  const writeAll = connection.transaction((statements: Statements, begun: () => void) => {
    begun();
    return runEach(statements);
  });

  return {
    read(statements, begun) {
      // A statement has one view by itself.
      if (Array.isArray(statements) && statements.length === 1) return statements.map(run);
      return readAll.deferred(statements, begun);
    },
    write: (statements, begun) => writeAll.immediate(statements, begun),
  };
}

const anyRead: Statement = { text: "SELECT 1 FROM sqlite_schema LIMIT 1", values: [] };
