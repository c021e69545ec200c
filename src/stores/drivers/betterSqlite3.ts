import { createRequire } from "node:module";
import type BetterSqlite3 from "better-sqlite3";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";

/** better-sqlite3, for Node. {@link loadBetterSqlite3} throws if it is not installed. */
export const betterSqlite3: Engine = {
  name: "better-sqlite3",
  connect(path, mode) {
    const Database = loadBetterSqlite3();
    const connection = new Database(path, { readonly: mode === "read", fileMustExist: true });
    return connectionOf(mode === "repair" ? connection.unsafeMode() : connection);
  },
  connectCopy(content) {
    const Database = loadBetterSqlite3();
    return connectionOf(new Database(content, { readonly: true }));
  },
};

let loaded: typeof BetterSqlite3 | undefined;

/**
 * Loads better-sqlite3, which is an optional dependency.
 *
 * @throws Error that says what to install
 */
export function loadBetterSqlite3(): typeof BetterSqlite3 {
  if (loaded !== undefined) return loaded;
  try {
    // A bundle in CommonJS has no import.meta.url, but has __filename.
    const found: typeof BetterSqlite3 = createRequire(import.meta.url ?? __filename)("better-sqlite3");
    // This loads its native part, which may be missing or made for another Node.
    new found(":memory:").close();
    loaded = found;
    return found;
  } catch (cause) {
    throw new Error(
      "better-sqlite3 cannot be loaded: npm install better-sqlite3, or use im-admin/node-sqlite on Node 22 or newer",
      { cause },
    );
  }
}

function connectionOf(connection: BetterSqlite3.Database): Connection {
  const prepared = new Map<string, BetterSqlite3.Statement<unknown[], Row>>();
  return {
    all(text, values = []) {
      let statement = prepared.get(text);
      if (statement === undefined) {
        statement = connection.prepare<unknown[], Row>(text);
        prepared.set(text, statement);
      }
      if (statement.reader) return statement.all(values);
      statement.run(values);
      return [];
    },
    close: () => void connection.close(),
  };
}
