import { type PostgresPool, run, transaction } from "../database.js";
import { type Sql, sql } from "../sql.js";

/** What is told of changes that are settled. */
export interface Settled {
  /** How many changes were settled. */
  settled: number;
  /** Whether none is left; false where somebody else settles, or a limit was reached. */
  isDone: boolean;
}

/** Settles changes, some thousand in a transaction, until none is left, or somebody else is at it. */
export async function settle(
  pool: PostgresPool,
  schema: Sql,
  limit = Number.POSITIVE_INFINITY,
  onSettled: (settled: number) => void = () => {},
): Promise<Settled> {
  let settled = 0;
  while (settled < limit) {
    const [row] = await transaction(pool, (connection) =>
      run(connection, sql`SELECT ${schema}.settle()::text AS settled`),
    );
    const number = row?.["settled"];
    if (number === "0") return { settled, isDone: true };
    if (number === null) return { settled, isDone: false };
    settled += Number(number);
    onSettled(settled);
  }
  return { settled, isDone: false };
}

/** How many changes wait to be settled. */
export async function countChanges(pool: PostgresPool, schema: Sql): Promise<number> {
  const [row] = await run(pool, sql`SELECT count(*)::text AS changes FROM ${schema}.list_changes`);
  return Number(row?.["changes"]);
}

/** From how many changes on, which a reader had to look at, they are settled: a page then takes about a millisecond longer. */
const manyChanges = 1000;

/** After a failure, how long others are left alone, in milliseconds. */
const pauseAfterFailure = 10_000;

/** Settles in the background, one at a time in a process, when a reader has seen many changes. */
export function settler(pool: PostgresPool, schema: Sql): (pending: number) => void {
  let notBefore = 0;
  return (pending) => {
    if (pending < manyChanges || Date.now() < notBefore) return;
    notBefore = Number.POSITIVE_INFINITY;
    settle(pool, schema)
      .then(
        () => 0,
        () => pauseAfterFailure,
      )
      .then((pause) => {
        notBefore = Date.now() + pause;
      });
  };
}
