import { type PostgresPool, run, transaction } from "../database.js";
import { type Sql, sql } from "../sql.js";

/** The result of settling. */
export interface Settled {
  /** How many changes were settled. */
  settled: number;
  /** Whether none are left; false if another session settles or the limit was reached. */
  isDone: boolean;
}

/** Settles changes, some thousand in a transaction, until none are left or another session settles. */
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
  const [row] = await run(
    pool,
    sql`
      SELECT ((SELECT count(*) FROM ${schema}.list_changes) + (SELECT count(*) FROM ${schema}.touched WHERE problem IS NULL)
          + (SELECT coalesce(sum(cardinality(firsts)), 0) FROM ${schema}.packed_changes))::text AS changes`,
  );
  return Number(row?.["changes"]);
}

/** If a read had to read so many changes, the store settles them. They cost a page about a millisecond. */
const manyChanges = 1000;

/** The pause after a failure, in milliseconds. */
const pauseAfterFailure = 10_000;

/** Settles in the background after a read with many changes, once at a time in a process. */
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
