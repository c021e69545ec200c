import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { type PostgresCluster, startCluster } from "../../../helpers/postgres/cluster.js";
import { pagesOf } from "../../../helpers/postgres/pagesOf.js";
import { connect, fill, settle } from "../../../helpers/postgres/sessions.js";

// A list of a few thousand has nodes of several levels, and about every other change is folded by itself.
const sizes = { leaf: 16, fanout: 8, changesPerFold: 2, recent: 100, searched: 100 };

let server: PostgresCluster;
beforeAll(async () => {
  server = await startCluster();
  await migrate(server.pool, quoted("im_admin"), sizes);
  await server.pool.query(`
    INSERT INTO im_admin.groups (group_id) VALUES ('g1');
    INSERT INTO im_admin.users (user_id) VALUES ('u1');
    ${fill("v", 3000)};
    INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'u1')`);
  await settle(server.pool);
  const { rows } = await server.pool.query("SELECT height FROM im_admin.list_totals WHERE list = 1 AND owner = 'g1'");
  expect(rows).toEqual([{ height: 4 }]);
});
afterAll(() => server.stop());

const statements = [
  "SELECT * FROM im_admin.group_members_page('g1', 0, 20, NULL)",
  "SELECT * FROM im_admin.group_members_page('g1', 1500, 20, NULL)",
  // All who are no managers, by their keys.
  "SELECT * FROM im_admin.group_members_page('g1', 1500, 20, ARRAY['1980', '1981'])",
  // How many members the group has.
  "SELECT * FROM im_admin.joined_groups_page('u1', 0, 20, NULL)",
];

it.each([
  {
    whose: "pg_dump",
    begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM im_admin.group_members",
    total: "3001",
  },
  {
    whose: "one that has written and is forgotten",
    begin: "BEGIN; INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'late')",
    total: "3002",
  },
])(
  "reads lists as cheaply while a transaction stays open, as of $whose, however often they are folded",
  async ({ begin, total }) => {
    const [reader, open] = [await connect(server.pool), await connect(server.pool)];
    const quiet = [];
    for (const statement of statements) quiet.push(await pagesOf(reader, statement));
    await open.query(begin);
    // The last of the list are others all the time, one in each transaction.
    await server.pool.query(`
      DO $$ BEGIN
        FOR n IN 1 .. 5000 LOOP
          UPDATE im_admin.group_members SET join_time = n WHERE group_id = 'g1' AND user_id = 'v' || (n % 100 + 1);
          COMMIT;
        END LOOP;
      END $$`);
    for (const connection of [reader, open]) {
      for (const [index, statement] of statements.entries()) {
        const pages = await pagesOf(connection, statement);
        expect(pages - (quiet[index] ?? 0), statement).toBeLessThan(100);
      }
    }
    await open.query("COMMIT");
    const { rows } = await reader.query("SELECT total FROM im_admin.group_members_page('g1', 0, 1, NULL)");
    expect(rows).toEqual([{ total }]);
  },
);
