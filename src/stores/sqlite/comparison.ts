/** Checks, which run one by one, so that a failure of one does not stop the others. */
import { type Finding, mostExamples, unchecked } from "../finding.js";
import { rowsOf, type SqlDatabase } from "./database.js";
import { literal, type Sql, sql } from "./sql.js";

/** A check. If it fails, the others still run. */
export interface Check {
  /** What it checks, for the message that it failed. */
  what: string;
  find(database: SqlDatabase): Promise<Finding[]>;
}

/** A query for wrong rows. */
export interface Comparison {
  problem: string;
  /** A SELECT of one column, which names each wrong row. */
  wrong: Sql;
  advice?: string;
}

/** The advice for a file with damaged pages. */
export const recover = "restore a backup, or let the command .recover of the sqlite3 shell make a new file";

/** Statements that make temporary tables before a comparison, and drop them after it. */
export interface Temporary {
  make: readonly Sql[];
  drop: readonly Sql[];
}

const nothing: Temporary = { make: [], drop: [] };

/** A check with several comparisons, which all see the same state of the database. */
export function compare(what: string, comparisons: readonly Comparison[], { make, drop } = nothing): Check {
  const selects = comparisons.map(
    ({ wrong }) => sql`
      WITH wrong (named) AS (
        ${wrong}
      )
      SELECT count(*) OVER () AS count, named FROM wrong ORDER BY named LIMIT ${literal(mostExamples)}`,
  );
  return {
    what,
    async find(database) {
      const results = await database.read([...make, ...selects, ...drop]);
      return comparisons.flatMap(({ problem, advice }, index): Finding[] => {
        const rows = rowsOf(results, make.length + index);
        if (rows.length === 0) return [];
        const examples = rows.map(({ named }) => String(named));
        const found = { problem, count: Number(rows[0]?.["count"]), examples };
        return [advice === undefined ? { kind: "wrong", ...found } : { kind: "unmendable", ...found, advice }];
      });
    },
  };
}

/** Runs a check; a failure becomes a finding. */
export async function findOf({ what, find }: Check, database: SqlDatabase): Promise<Finding[]> {
  try {
    return await find(database);
  } catch (error) {
    return [failure(what, error)];
  }
}

/** The finding for a check that failed: "wrong" if the database is broken, otherwise "unchecked". */
export function failure(what: string, error: unknown): Finding {
  const finding = unchecked(what, error);
  return isBroken(error)
    ? { ...finding, kind: "wrong", problem: `${what} cannot be read: ${finding.reason}` }
    : finding;
}

/** Results of SQLite with their numbers that say nothing about the database, but only that it could not be read. */
const unreachable = {
  PERM: 3,
  ABORT: 4,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  INTERRUPT: 9,
  IOERR: 10,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  TOOBIG: 18,
  NOLFS: 22,
  AUTH: 23,
};

const unreachableName = new RegExp(`^SQLITE_(${Object.keys(unreachable).join("|")})`);

/** Whether an error says that the database is broken. Engines report SQLite's result as a name or as a number. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The lowest byte is the result; the others are details.
  if (typeof errcode === "number") return !Object.values(unreachable).includes(errcode & 0xff);
  return typeof code === "string" && code.startsWith("SQLITE_") && !unreachableName.test(code);
}
