import type pg from "pg";

/** Why a condition over a table of the schema chat must not decide about users; undefined if it may. `views` are made before. */
export async function refusal(
  pool: pg.Pool,
  condition: string,
  table: string,
  views = "",
): Promise<string | undefined> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; ${views} SET LOCAL search_path = im_admin, pg_temp`);
    const query = `SELECT 1 AS one FROM chat.${table} AS ${table} WHERE ${condition}`;
    await client.query("SELECT im_admin.note_part('users', 'users.where', $1, true, false, $2, ARRAY[$2])", [
      query,
      `chat.${table}`,
    ]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}
