import type { Row, Value } from "../sqlite/database.js";

/** A connection to an SQLite database, of an engine that answers at once. */
export interface Connection {
  /** Runs a statement, which is prepared when it is first run, and gives its rows. */
  all(text: string, values?: readonly Value[]): Row[];
  close(): void;
}

/** What a connection to a file that exists may do; `repair` may write the schema itself. */
export type Mode = "read" | "write" | "repair";

/** An SQLite of some runtime. */
export interface Engine {
  /** What its module is called. */
  name: "better-sqlite3" | "node:sqlite" | "bun:sqlite";
  connect(path: string, mode: Mode): Connection;
  /** Opens the content of a file, for reading; absent where the engine cannot. */
  connectCopy?(content: Buffer): Connection;
}

/** The value of a setting. */
export function pragma(connection: Connection, text: string): Value | undefined {
  const [row = {}] = connection.all(`PRAGMA ${text}`);
  return Object.values(row)[0];
}

/** How SQLite names what a call has failed by, and the number of each. */
const results = { BUSY: 5, READONLY: 8, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 } as const;

export type Result = keyof typeof results;

/** Whether SQLite has refused a call for a reason, which engines give as a name or as a number. */
export function failedBy(error: unknown, result: Result): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The lowest byte is the reason; the others are its details.
  if (typeof errcode === "number") return (errcode & 0xff) === results[result];
  return typeof code === "string" && code.startsWith(`SQLITE_${result}`);
}
