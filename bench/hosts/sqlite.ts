/** A chat server on SQLite, with a connection as better-sqlite3 opens it: a journal that is deleted, and `synchronous = FULL`. */
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import type { World } from "../world.js";
import type { Host, Way } from "./host.js";
import type { Statement } from "./writes.js";

/** A connection to a file drops its cache when another one has written, so each way has a file. */
export function sqlitePath({ folder }: World, schema: "plain" | "mapped", way: Way): string {
  return join(folder, `${schema}, ${way}.db`);
}

export function openSqlite(world: World, schema: "plain" | "mapped", way: Way): Host {
  const connection = new BetterSqlite3(sqlitePath(world, schema, way));
  const isWaiting = way !== "without waiting for the disk";
  connection.pragma(`journal_mode = ${isWaiting ? "DELETE" : "WAL"}`);
  if (!isWaiting) connection.pragma("synchronous = NORMAL");
  const prepared = new Map<string, BetterSqlite3.Statement>();
  function prepare(text: string): BetterSqlite3.Statement {
    const known = way === "prepared each time" ? undefined : prepared.get(text);
    const statement = known ?? connection.prepare(text.replace(/\$\d/g, "?"));
    prepared.set(text, statement);
    return statement;
  }
  const run = ([text, ...values]: Statement) => prepare(text).run(values).changes;
  const runAll = (statements: readonly Statement[]) => statements.reduce((rows, statement) => rows + run(statement), 0);
  const transaction = connection.transaction(runAll);
  const counter = connection.prepare("SELECT total_changes()").pluck();

  return {
    write: (statements) => (statements.length > 1 ? transaction(statements) : runAll(statements)),
    tidy(statements) {
      for (const statement of statements) connection.exec(statement);
      if (schema === "mapped") connection.exec("DELETE FROM im_admin_changed");
    },
    costOf(statements) {
      connection.exec("BEGIN");
      const before = Number(counter.get());
      const own = runAll(statements);
      const all = Number(counter.get()) - before;
      connection.exec("ROLLBACK");
      return { rowsWritten: all - own };
    },
    close: () => connection.close(),
  };
}
