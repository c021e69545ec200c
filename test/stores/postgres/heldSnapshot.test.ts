import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { fastSettings } from "../../helpers/postgres/cluster.js";
import { pagesOf } from "../../helpers/postgres/pagesOf.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  // Its own transactions are in the way of folds for a while.
  server = await startPostgres([...fastSettings, "autovacuum=off"]);
  // A list of a few thousand has nodes of several levels, and about every other change is folded by itself.
  await migrate(server.pool, quoted("im_admin"), { leaf: 16, fanout: 8, changesPerFold: 2, searched: 100 });
});
afterAll(() => server.stop());

it("reads lists as cheaply under a snapshot that is held, as by pg_dump, however often they are folded", async () => {
  await server.pool.query(`
    INSERT INTO im_admin.groups (group_id) VALUES ('g1');
    INSERT INTO im_admin.users (user_id) VALUES ('u1');
    INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 3000) n;
    INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'u1')`);
  const left = async () => (await server.pool.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
  const { rows } = await server.pool.query("SELECT height FROM im_admin.list_totals WHERE list = 1 AND owner = 'g1'");
  expect(rows).toEqual([{ height: 4 }]);

  const statements = [
    "SELECT * FROM im_admin.group_members_page('g1', 0, 20, NULL)",
    "SELECT * FROM im_admin.group_members_page('g1', 1500, 20, NULL)",
    // A range of the list, by its keys.
    `SELECT * FROM im_admin.group_members_page('g1', 1500, 20, ARRAY['979', (
      SELECT key FROM im_admin.group_members_entries WHERE owner = 'g1' AND key LIKE '%v5')])`,
    // How many members the group has.
    "SELECT * FROM im_admin.joined_groups_page('u1', 0, 20, NULL)",
  ];
  const reader = await server.pool.connect();
  const dump = await server.pool.connect();
  try {
    const quiet = [];
    for (const statement of statements) quiet.push(await pagesOf(reader, statement));
    await dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await dump.query("SELECT count(*) FROM im_admin.group_members");
    // The last of the list are others all the time, one in each transaction.
    await server.pool.query(`
      DO $$ BEGIN
        FOR n IN 1 .. 1500 LOOP
          UPDATE im_admin.group_members SET join_time = n WHERE group_id = 'g1' AND user_id = 'v' || (n % 100 + 1);
          COMMIT;
        END LOOP;
      END $$`);
    for (const connection of [reader, dump]) {
      for (const [index, statement] of statements.entries()) {
        const pages = await pagesOf(connection, statement);
        expect(pages - (quiet[index] ?? 0), statement).toBeLessThan(200);
      }
    }
  } finally {
    reader.release(true);
    dump.release(true);
  }
});
