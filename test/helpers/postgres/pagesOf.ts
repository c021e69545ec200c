import type pg from "pg";

/** How many pages of the database a statement looks at. */
export async function pagesOf(connection: pg.PoolClient, statement: string): Promise<number> {
  const explained = async () => {
    const { rows } = await connection.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`);
    const { "Shared Hit Blocks": hits, "Shared Read Blocks": reads } = rows[0]["QUERY PLAN"][0].Plan;
    return hits + reads;
  };
  // The first run also reads the pages that define the functions.
  await explained();
  await explained();
  return explained();
}
