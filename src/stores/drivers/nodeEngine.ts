import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Row, Value } from "../sqlite/database.js";
import type { Engine } from "./connection.js";

/** The SQLite of Deno, and of Node since version 22. */
export const nodeSqlite: Engine = {
  name: "node:sqlite",
  connect(path, mode) {
    const database = new DatabaseSync(path, { readOnly: mode === "read", defensive: mode !== "repair" });
    const prepared = new Map<string, StatementSync>();
    return {
      all(text, values = []) {
        let statement = prepared.get(text);
        if (statement === undefined) {
          statement = database.prepare(text);
          // Otherwise it fails on integers beyond 2^53.
          statement.setReadBigInts(true);
          prepared.set(text, statement);
        }
        return statement.all(...values).map(toRow);
      },
      close: () => database.close(),
    };
  },
};

function toRow(row: Record<string, unknown>): Row {
  const values = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(values) as Record<string, Value>;
}
