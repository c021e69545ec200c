import type { Row, Value } from "../sqlite/database.js";

/** A connection of a synchronous SQLite engine. */
export interface Connection {
  /** Runs a statement and returns its rows. It prepares each statement once. */
  all(text: string, values?: readonly Value[]): Row[];
  close(): void;
}

/** What a connection to an existing file may do. `repair` may write the schema itself. */
export type Mode = "read" | "write" | "repair";

/** The SQLite of a runtime. */
export interface Engine {
  /** The name of its module. */
  name: "better-sqlite3" | "node:sqlite" | "bun:sqlite";
  connect(path: string, mode: Mode): Connection;
  /** Opens the content of a file for reading; undefined if the engine cannot do so. */
  connectCopy?(content: Buffer): Connection;
}

/** The value of a setting. */
export function pragma(connection: Connection, text: string): Value | undefined {
  const [row = {}] = connection.all(`PRAGMA ${text}`);
  return Object.values(row)[0];
}
