import BetterSqlite3 from "better-sqlite3";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";

/** better-sqlite3, for Node. */
export const betterSqlite3: Engine = {
  connect(path, mode) {
    const isNew = mode === "write";
    const connection = new BetterSqlite3(path, { readonly: mode === "read", fileMustExist: !isNew });
    return connectionOf(mode === "repair" ? connection.unsafeMode() : connection);
  },
  connectCopy: (content) => connectionOf(new BetterSqlite3(content, { readonly: true })),
};

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
