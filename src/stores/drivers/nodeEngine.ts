import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Row, Value } from "../sqlite/database.js";
import type { Engine } from "./connection.js";

/** The SQLite of Deno, and of Node since version 22. */
export const nodeSqlite: Engine = {
  name: "node:sqlite",
  connect(path, mode) {
    requireFullText();
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

let hasFullText = false;

/**
 * Requires an SQLite that was compiled with full-text search, which Node's is since version 22.16.
 *
 * @throws Error that says so
 */
export function requireFullText(): void {
  if (hasFullText) return;
  const database = new DatabaseSync(":memory:", { readOnly: false, defensive: true });
  const [row] = database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS has").all();
  database.close();
  hasFullText = row?.["has"] === 1;
  if (!hasFullText) {
    throw new Error(`node:sqlite of Node ${process.versions.node} has no full-text search: use Node 22.16 or newer`);
  }
}

function toRow(row: Record<string, unknown>): Row {
  const values = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(values) as Record<string, Value>;
}
