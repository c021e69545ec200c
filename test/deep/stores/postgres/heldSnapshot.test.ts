import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresCluster, startCluster } from "../../../helpers/postgres/cluster.js";
import { pagesOf } from "../../../helpers/postgres/pagesOf.js";
import { connect, fill, migrateSmall, settle } from "../../../helpers/postgres/sessions.js";

let server: PostgresCluster;
beforeAll(async () => {
  server = await startCluster();
  await migrateSmall(server.pool);
  await server.pool.query(`
    INSERT INTO im_admin.groups (group_id) VALUES ('g1');
    INSERT INTO im_admin.users (user_id) VALUES ('u1');
    ${fill("v", 3000)};
    INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'u1')`);
  await settle(server.pool);
});
afterAll(() => server.stop());

/** With how often the tree of the group is walked from its root. */
const statements: [statement: string, walks: number][] = [
  ["SELECT * FROM im_admin.group_members_page('g1', NULL, '', 0, 20)", 1],
  ["SELECT * FROM im_admin.group_members_page('g1', NULL, '', 1500, 20)", 1],
  // All who are no managers: where each of two levels begins and ends, and the page.
  ["SELECT * FROM im_admin.group_members_page('g1', '{1980,2000}', '', 1500, 20)", 5],
  // How many members the group has.
  ["SELECT * FROM im_admin.joined_groups_page('u1', 0, 20)", 1],
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
  "reads lists as cheaply while a transaction stays open, as of $whose, however often they are settled",
  async ({ begin, total }) => {
    const [reader, open] = [await connect(server.pool), await connect(server.pool)];
    const quiet = [];
    for (const [statement] of statements) quiet.push(await pagesOf(reader, statement));
    await open.query(begin);
    // Members who are on none of the pages go to the end of the list, one in each transaction.
    await server.pool.query(`
      DO $$ BEGIN
        FOR n IN 1 .. 5000 LOOP
          UPDATE im_admin.group_members SET join_time = n WHERE group_id = 'g1' AND user_id = 'v' || (n % 100 + 2901);
          COMMIT;
          IF n % 50 = 0 THEN PERFORM im_admin.settle(); END IF;
        END LOOP;
      END $$`);
    for (const connection of [reader, open]) {
      for (const [index, [statement, walks]] of statements.entries()) {
        const pages = await pagesOf(connection, statement);
        // Each of 100 settlements left a version of the root in its place, and a walk passes them. 5000 were written.
        expect(pages - (quiet[index] ?? 0), statement).toBeLessThan(100 * walks);
      }
    }
    await open.query("COMMIT");
    const { rows } = await reader.query("SELECT total FROM im_admin.group_members_page('g1', NULL, '', 0, 1)");
    expect(rows).toEqual([{ total }]);
  },
);
