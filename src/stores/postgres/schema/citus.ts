import { type Queryable, run } from "../database.js";
import { type Sql, sql } from "../sql.js";

/**
 * Says which of our tables Citus distributes; undefined if it distributes none. A list is put together of several tables
 * in one snapshot, and Citus answers wrong lists without a word.
 */
export async function distributedTables(queryable: Queryable, schema: Sql): Promise<string | undefined> {
  const [row] = await run(queryable, sql`SELECT to_regclass('pg_catalog.pg_dist_partition')::text AS found`);
  if (row?.["found"] === null) return undefined;
  const rows = await run(
    queryable,
    sql`
      SELECT logicalrelid::text AS name FROM pg_catalog.pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
        WHERE relnamespace = to_regnamespace(${schema.text}) ORDER BY 1`,
  );
  const names = rows.map(({ name }) => String(name)).join(", ");
  return rows.length === 0 ? undefined : `Citus distributes ${names}: lists would be wrong, as docs/postgres.md says`;
}

/** What to do about it. */
export const undistribute = "make them local tables by undistribute_table(), and give each tenant a server of its own";
