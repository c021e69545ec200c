/** Loads of so many records that an empty table is filled in another way. */
import type pg from "pg";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { problemsOf } from "./sessions.js";

export const members = (count: number, prefix = "u") =>
  Array.from({ length: count }, (_, index) => ({
    groupID: "g1",
    userID: `${prefix}${String(index).padStart(5, "0")}`,
    joinTime: index,
    nickname: index % 1000 ? "" : "Nick",
  }));

/** Migrates the database, and has nobody else use the table of members; it gives what is made then. */
export async function migrated(pool: pg.Pool): Promise<unknown[]> {
  await migratePostgres(pool);
  await pool.query("ALTER TABLE im_admin.group_members SET (autovacuum_enabled = off)");
  return indexesAndTriggers(pool);
}

/** All but their numbers. */
async function indexesAndTriggers(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`
    SELECT indexdef AS made, true AS is_enabled FROM pg_indexes WHERE schemaname = 'im_admin'
    UNION ALL
    SELECT pg_get_triggerdef(pg_trigger.oid), tgenabled = 'O'
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE relnamespace = 'im_admin'::regnamespace
    ORDER BY made`);
  return rows;
}

/** Who is at the end of the list, how many there are, how many have the nickname, and whether it is counted. */
export async function outcome(pool: pg.Pool) {
  await migratePostgres(pool);
  const store = createPostgresStore({ pool });
  const list = async (keyword: string, offset: number) =>
    (await store.listGroupMembers({ groupID: "g1", keyword, offset, limit: 1 })) ?? { total: -1, items: [] };
  const { total } = await list("", 0);
  const { rows } = await pool.query("SELECT is_counted FROM im_admin.lists WHERE list = 1 AND owner = 'g1'");
  return {
    total,
    last: (await list("", Math.max(total - 1, 0))).items[0]?.userID,
    named: (await list("nick", 0)).total,
    isCounted: rows[0]?.is_counted,
    problems: await problemsOf(pool),
    made: await indexesAndTriggers(pool),
  };
}

/** What comes of 12,000 members. */
export const all = { total: 12_000, last: "u11999", named: 12, isCounted: true, problems: [] };
