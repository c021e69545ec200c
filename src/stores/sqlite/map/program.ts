/**
 * What SQLite says of a statement before it runs it. No catalogue of SQLite tells what a statement or a view reads, but
 * EXPLAIN lists the steps of the program that SQLite makes of it.
 */
import type { Row, SqlDatabase } from "../database.js";
import { raw, type Sql, sql } from "../sql.js";

/** The programs of statements. */
export interface Programs {
  /** EXPLAIN, or EXPLAIN QUERY PLAN, for a text. */
  explain(text: string, kind?: "EXPLAIN" | "EXPLAIN QUERY PLAN"): Sql;
  /** The names of all views, and of all virtual tables. */
  views: readonly string[];
  virtual: readonly string[];
  /** The tables that a program opens, as often as it does. An index stands for its table. */
  opened(program: readonly Row[]): string[];
  /** The tables that it reads from their first row on, or an index of them. */
  scanned(program: readonly Row[]): string[];
  /** What it calls, also in views, as calls in a text. */
  called(program: readonly Row[]): string;
}

/** Reads how the programs of a database name its tables: by the numbers of their first pages. */
export async function programsOf(database: Pick<SqlDatabase, "read">): Promise<Programs> {
  const [stored = [], [version] = []] = await database.read([
    sql`SELECT type, rootpage, tbl_name FROM sqlite_schema`,
    sql`PRAGMA schema_version`,
  ]);
  // A connection prepares a text once, and an EXPLAIN would then tell what an earlier schema was.
  const schema = `/* schema ${Number(version?.["schema_version"])} */`;
  const tables = new Map(stored.map(({ rootpage, tbl_name }) => [rootpage, String(tbl_name)]));
  const named = (isIt: (row: Row) => boolean) => stored.filter(isIt).map(({ tbl_name }) => String(tbl_name));
  return {
    explain: (text, kind = "EXPLAIN") => raw(`${kind} ${schema} ${text}`),
    views: named(({ type }) => type === "view"),
    // A virtual table has no page of its own.
    virtual: named(({ type, rootpage }) => type === "table" && rootpage === 0),
    opened: (program) => openings(program).flatMap(({ p2, p3 }) => (p3 === 0 ? (tables.get(p2 ?? null) ?? []) : [])),
    scanned(program) {
      const cursors = new Map(openings(program).map(({ p1, p2 }) => [p1, tables.get(p2 ?? null)]));
      return program.flatMap(({ opcode, p1 }) => (opcode === "Rewind" ? (cursors.get(p1) ?? []) : []));
    },
    called: (program) => program.flatMap(callOf).join(" "),
  };
}

function openings(program: readonly Row[]): Row[] {
  return program.filter(({ opcode }) => opcode === "OpenRead");
}

function callOf({ opcode, p2, p4 }: Row): string[] {
  if (opcode === "String8") return /^now$/i.test(String(p4)) ? ["'now'"] : [];
  // Behind the name stands how many arguments the function takes, or -1 for any number. P2 is 0 for a call without any.
  return /^(?:Pure)?Func/.test(String(opcode)) ? [String(p4).replace(/\(.*/, p2 === 0 ? "()" : "$&")] : [];
}
