import { type PostgresPool, run, transaction } from "../database.js";
import { type Sql, sql } from "../sql.js";

/** A list is announced, waited for, and counted. */
const steps = 3;

/** Counts the lists that have grown long, as far as no other transaction is in the way; each step is one of its own. */
export async function settle(pool: PostgresPool, schema: Sql): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    const [row] = await transaction(pool, (connection) =>
      run(connection, sql`SELECT ${schema}.list_settle()::text AS announced`),
    );
    if (row?.["announced"] === "0") return;
  }
}
