/** What tests of the store in PostgreSQL do at the server beside the store. */
import pg from "pg";
import { onTestFinished, vi } from "vitest";
import { migratePostgres, settlePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";

/** Migrates, and makes trees so small that lists of a few entries have nodes of several levels. */
export async function migrateSmall(pool: pg.Pool, schema = "im_admin"): Promise<void> {
  await migratePostgres(pool, { schema });
  for (const [size, number] of Object.entries({ leaf_size: 4, node_size: 4, most_touched: 12 })) {
    await pool.query(
      `CREATE OR REPLACE FUNCTION ${schema}.${size}() RETURNS integer LANGUAGE sql IMMUTABLE RETURN ${number}`,
    );
  }
}

/** A connection that is closed when the test is over, and whose session has ended before anything else goes on. */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const connection = await pool.connect();
  const ended = new Promise((resolve) => connection.once("end", resolve));
  onTestFinished(async () => {
    connection.release(true);
    await ended;
  });
  return connection;
}

/** Another pool of the same database, which is ended when the test is over. */
export function poolWith(pool: pg.Pool, options: pg.PoolConfig): pg.Pool {
  const other = new pg.Pool({ ...pool.options, ...options });
  other.on("error", () => {});
  onTestFinished(() => (other.ended ? undefined : other.end()));
  return other;
}

/** A pool of sessions with a new role, which is dropped when the test is over. */
export async function poolOfRole(pool: pg.Pool, role: string, grants: string): Promise<pg.Pool> {
  await pool.query(`CREATE ROLE ${role}; ${grants}`);
  onTestFinished(async () => void (await pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)));
  return poolWith(pool, { options: `-c role=${role}` });
}

/** Settles all that can be seen to be pending; others may settle at the same time. */
export async function settle(pool: pg.Pool, schema = "im_admin"): Promise<void> {
  await vi.waitUntil(async () => (await settlePostgres(pool, { schema })).isDone, { timeout: 30_000, interval: 5 });
}

/** Settles once, and returns how many changes; null if another session settles. */
export async function settleOnce(pool: pg.Pool, schema = "im_admin"): Promise<number | null> {
  return (await pool.query(`SELECT ${schema}.settle()::integer AS settled`)).rows[0].settled;
}

/** How many statements wait for locks in the database. */
export async function lockWaits(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

/** What a check finds wrong. */
export async function problemsOf(pool: Parameters<typeof checkLists>[0]): Promise<string[]> {
  return (await checkLists(pool, quoted("im_admin"))).map(({ problem }) => problem);
}

/** A statement that has users whose names are a letter and a number join a group. */
export function fill(prefix: string, count: number, groupID = "g1"): string {
  return `INSERT INTO im_admin.group_members (group_id, user_id)
    SELECT '${groupID}', '${prefix}' || n FROM generate_series(1, ${count}) n`;
}
