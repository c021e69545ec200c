import type { Json } from "../../json.js";
import type { StoreCall } from "../../store.js";
import type { Unsettled } from "./answer.js";
import type { Recovery } from "./recovery.js";
import type { Value } from "./sql.js";

export type { Value } from "./sql.js";

/** An SQL statement with `?` for each of its values. */
export interface Statement {
  text: string;
  values: readonly Value[];
}

/** A row of a result, by the names of its columns. */
export type Row = Record<string, Value>;

/**
 * Statements in their order. If an engine runs them one by one, it passes the rows of each to the generator, as the
 * result of `yield`. If it runs them as a batch, `yield` returns undefined.
 */
export interface Statements {
  [Symbol.iterator](): Iterator<Statement, unknown, Row[] | undefined>;
}

/**
 * The driver of an engine. `read` and `write` run all statements and return the rows of each, `[]` for a statement
 * without rows. They reject if a statement or the iterable fails.
 */
export interface SqlDatabase {
  /** Runs statements that only read, against one consistent view. */
  read(statements: Statements): Promise<Row[][]>;
  /**
   * Runs statements in one transaction: all of them take effect or none. A driver in which writes wait for each other
   * must check `call.signal` before it begins, and then call `call.begun`. Other drivers may ignore `call`.
   */
  write(statements: Statements, call?: StoreCall): Promise<Row[][]>;
  /**
   * Looks whether the schema has changed, and mends what a host's migration has taken away. It runs before each call, and
   * answers false if lists are not kept, because it could not mend them.
   */
  lookAtSchema?(): boolean | Promise<boolean>;
  /** What reads do while changes cannot be settled. Without it, they settle however long that takes. */
  unsettled?: Unsettled;
  /** The same database, with statements that do not read what its map says. */
  direct?: SqlDatabase;
  /** What it does where a row of a host cannot be read. Without it, statements that read the row fail. */
  recovery?: Recovery;
  /** Whether records are in tables of a host, as far as calls know until now. */
  isMapped?(): boolean;
  /** Reads the map of the tables anew at the next call. */
  forgetMap?(): void;
  /** The host's table with conversations; undefined if they are in im-admin's own table. */
  conversationTable?(): HostTable | undefined | Promise<HostTable | undefined>;
  /**
   * Converts the engine's BLOB into JSON; undefined if it contains the text `unless`. With it, the items of a page are one
   * value. Without it, each item is a row, since engines such as D1 take no value of more than 2 MB.
   */
  jsonOf?(bytes: unknown, unless: string | undefined): Json | undefined;
  /** Closes the driver. It runs nothing after that. */
  close(): Promise<void>;
}

/** The columns of a host that make a key, each with its value as SQL over the key, for which `:key` stands. */
export type KeyColumns = readonly (readonly [column: string, value: string])[];

/** What stands in the place of a table of records. */
export interface Source {
  /** A SELECT of the records. */
  select: string;
  /** By which columns of the SELECT a host's index finds a record, for each column of the key where that can be. */
  keys: Readonly<Record<string, KeyColumns>>;
}

/** An ID in rows of a host: its text as SQL, and the columns by which an index finds it. */
export interface HostID {
  text: string;
  columns: KeyColumns;
}

/** A host's table of conversations, for `set_conversations`. All texts but the refusal are SQL. */
export interface HostTable {
  /** Whether the host keeps no conversations. */
  isEmpty?: boolean;
  /** Why it cannot be written. */
  refusal?: string;
  table: string;
  /** The IDs of a row. */
  ownerUserID: HostID;
  conversationID: HostID;
  /** The columns of the fields that can be set. */
  columns: Readonly<Record<string, string>>;
  /** The other columns of a new row, with their values over `im_admin_request`. */
  ends: readonly (readonly [column: string, value: string])[];
}

/** The rows of a statement. It throws if an engine returned no result without an error. */
export function rowsOf(results: readonly Row[][], index: number): Row[] {
  const rows = results[index];
  if (!Array.isArray(rows)) throw new Error("the database has given no result for a statement");
  return rows;
}
