import { beforeEach, expect, it } from "vitest";
import { migratePostgres } from "../../../src/stores/postgres/index.js";
import { pagesOf } from "../../helpers/postgres/pagesOf.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect, fill, settle } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();
beforeEach(async () => {
  await server.pool.query("DROP SCHEMA IF EXISTS im_admin CASCADE");
  await migratePostgres(server.pool);
  await server.pool.query("INSERT INTO im_admin.groups (group_id) VALUES ('g1'); ANALYZE");
});

it("reads few pages of the database anywhere in a list, while the server believes that its tables are empty", async () => {
  const connection = await connect(server.pool);
  await server.pool.query(`
    INSERT INTO im_admin.users (user_id, app_manger_level) SELECT 'v' || n, 3 FROM generate_series(1, 5000) n;
    INSERT INTO im_admin.blacks (owner_user_id, black_user_id) SELECT 'v1', 'b' || n FROM generate_series(1, 5000) n;
    ${fill("v", 5000)}`);
  await settle(server.pool);
  for (const list of ["group_members_page('g1', NULL, ''", "blacks_page('v1'", "notification_accounts_page(NULL, ''"]) {
    for (const offset of [0, 2500, 4900]) {
      const statement = `SELECT * FROM im_admin.${list}, ${offset}, 20)`;
      // Each of the 20 items is looked up in indexes of two or three levels; a list has 5000 rows.
      expect([statement, await pagesOf(connection, statement)]).toEqual([statement, expect.toSatisfy((n) => n < 300)]);
    }
  }
});

it.each([
  { who: "and come last", offset: 150, joinTime: "1000000 + n" },
  { who: "and come first", offset: 900 + 150, joinTime: "n" },
  { who: "and a few come first", offset: 60 + 150, joinTime: "CASE WHEN n <= 60 THEN n ELSE 1000000 + n END" },
])("reads a page at about its price while 900 are pending $who", async ({ offset, joinTime }) => {
  const connection = await connect(server.pool);
  // Those who stand next to each other are on different pages of the database.
  await server.pool.query(`
    INSERT INTO im_admin.group_members (group_id, user_id, join_time)
      SELECT 'g1', 'u' || n, (n * 101 % 300 + 1) * 1000 FROM generate_series(1, 300) n`);
  await settle(server.pool);
  await server.pool.query(`
    INSERT INTO im_admin.group_members (group_id, user_id, join_time)
      SELECT 'g1', 'v' || n, ${joinTime} FROM generate_series(1, 900) n`);
  const page = `SELECT * FROM im_admin.group_members_page('g1', NULL, '', ${offset}, 20)`;
  const { rows } = await connection.query(page);
  expect([rows[0].total, JSON.parse(rows[0].items)[0].joinTime]).toEqual(["1200", 151_000]);
  // The changes, on few pages, are looked at once, and so is each of the 20 members.
  expect(await pagesOf(connection, page)).toBeLessThan(150);
});
