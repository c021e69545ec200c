/** How a check finds something, and is kept apart from the others. */
import { type Finding, unchecked } from "../finding.js";
import type { SqlDatabase } from "./database.js";
import { type Sql, sql } from "./sql.js";

/** Something that is looked at on its own, so that its failure loses nothing of the others. */
export interface Check {
  /** What it looks at, for the sentence that says that this failed. */
  what: string;
  find(database: SqlDatabase): Promise<Finding[]>;
}

/** Rows that must not be there. */
export interface Comparison {
  problem: string;
  /** A SELECT of one column, which names each of what is wrong. */
  wrong: Sql;
  advice?: string;
}

/** What to do with a file whose pages are damaged. */
export const recover = "restore a backup, or let the command .recover of the sqlite3 shell make a new file";

/** Statements around a comparison that make temporary tables and drop them. */
export interface Temporary {
  make: readonly Sql[];
  drop: readonly Sql[];
}

const nothing: Temporary = { make: [], drop: [] };

/** A check by comparisons, all of which see the same state of the database. */
export function compare(what: string, comparisons: readonly Comparison[], { make, drop } = nothing): Check {
  const counted = comparisons.map(
    ({ wrong }) => sql`
      SELECT count(*) AS count, min(named) AS example
        FROM (SELECT NULL AS named WHERE false UNION ALL SELECT * FROM (${wrong}))`,
  );
  return {
    what,
    async find(database) {
      const results = (await database.read([...make, ...counted, ...drop])).slice(make.length);
      return comparisons.flatMap(({ problem, advice }, index): Finding[] => {
        const { count, example } = results[index]?.[0] ?? {};
        if (Number(count) === 0) return [];
        const found = { problem, count: Number(count), example: String(example) };
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

/** What is to be said of something that could not be read: that it is wrong, or only that nobody knows. */
export function failure(what: string, error: unknown): Finding {
  const finding = unchecked(what, error);
  return isBroken(error)
    ? { ...finding, kind: "wrong", problem: `${what} cannot be read: ${finding.reason}` }
    : finding;
}

/** The results of SQLite that say nothing of a database, but only that it could not be looked at, with their numbers. */
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

/** Whether an error says that what was looked at is broken. Engines give SQLite's result as a name or as a number. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The lowest byte is the reason; the others are its details.
  if (typeof errcode === "number") return !Object.values(unreachable).includes(errcode & 0xff);
  return typeof code === "string" && code.startsWith("SQLITE_") && !unreachableName.test(code);
}
