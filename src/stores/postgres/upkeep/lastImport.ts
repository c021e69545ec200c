/** The time of the last import from another server. */
import { type PostgresPool, run, transaction } from "../database.js";
import { type Sql, sql } from "../sql.js";

/** When the last complete import began, in milliseconds since 1970; undefined if there was none. */
export async function lastImport(pool: PostgresPool, schema: Sql): Promise<number | undefined> {
  const [row] = await run(pool, sql`SELECT max(time)::text AS time FROM ${schema}.last_import HAVING count(*) > 0`);
  return row && Number(row["time"]);
}

export async function noteImport(pool: PostgresPool, schema: Sql, time: number): Promise<void> {
  await transaction(pool, async (connection) => {
    await run(connection, sql`DELETE FROM ${schema}.last_import`);
    await run(connection, sql`INSERT INTO ${schema}.last_import VALUES (${time})`);
  });
}
