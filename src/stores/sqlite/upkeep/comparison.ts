/** Checks, which run one by one, so that a failure of one does not stop the others. */
import { type Finding, mostExamples, unchecked, wrong } from "../../finding.js";
import { rowsOf, type SqlDatabase } from "../database.js";
import { isBroken } from "../failures.js";
import { literal, type Sql, sql } from "../sql.js";

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
        return [wrong({ problem, count: Number(rows[0]?.["count"]), examples, advice })];
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
  return isBroken(error) ? { ...finding, kind: "wrong", problem: `${what} cannot be read: ${error.message}` } : finding;
}
