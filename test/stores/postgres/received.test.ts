import { beforeEach, expect, it } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();
const page = { offset: 0, limit: 10 };

beforeEach(async () => {
  await openMigrated(server.pool, {
    users: ["u1", "v4"].map((userID) => ({ userID })),
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
    groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 60 }],
    groupRequests: [
      { groupID: "g1", userID: "u2", reqTime: 2 },
      { groupID: "g1", userID: "u3", reqTime: 3, handleResult: 1 },
    ],
  });
});

/** Whose requests a user receives, ten at most. */
async function answered(userID: string): Promise<string[] | undefined> {
  const received = await createPostgresStore({ pool: server.pool }).listReceivedGroupRequests({ userID, ...page });
  return received?.items.map(({ groupInfo, userInfo }) => `${groupInfo.groupID} ${userInfo.userID}`).sort();
}

it("keeps the requests of each manager, whoever comes and goes", async () => {
  const steps: readonly [statement: string, expected: string[]][] = [
    ["SELECT", ["g1 u2", "g1 u3"]],
    [
      "INSERT INTO im_admin.group_requests (group_id, user_id) VALUES ('g1', 'u4'), ('g2', 'u4')",
      ["g1 u2", "g1 u3", "g1 u4"],
    ],
    ["UPDATE im_admin.group_requests SET group_id = 'g2' WHERE user_id = 'u3'", ["g1 u2", "g1 u4"]],
    [
      "INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g2', 'u1', 100)",
      ["g1 u2", "g1 u4", "g2 u3", "g2 u4"],
    ],
    ["DELETE FROM im_admin.group_requests WHERE user_id = 'u4'", ["g1 u2", "g2 u3"]],
    ["UPDATE im_admin.group_members SET role_level = 20 WHERE group_id = 'g1'", ["g2 u3"]],
    ["UPDATE im_admin.group_members SET user_id = 'u6' WHERE group_id = 'g2'", []],
    ["UPDATE im_admin.group_members SET user_id = 'u1' WHERE user_id = 'u6'", ["g2 u3"]],
    ["DELETE FROM im_admin.group_members", []],
  ];
  for (const [statement, expected] of steps) {
    await server.pool.query(statement);
    expect([statement, await answered("u1")]).toEqual([statement, expected]);
    await settle(server.pool);
    const doubts = await server.pool.query("SELECT FROM im_admin.received_doubts");
    expect([statement, await answered("u1"), doubts.rows.length]).toEqual([statement, expected, 0]);
  }
  expect(await problemsOf(server.pool)).toEqual([]);
});

it("settles what is in doubt at the end of later transactions, a few rows at a time", async () => {
  await server.pool.query(`
    INSERT INTO im_admin.group_requests (group_id, user_id) SELECT 'g2', 'w' || n FROM generate_series(1, 2000) n;
    INSERT INTO im_admin.group_members (group_id, user_id, role_level)
      SELECT 'g2', 'v' || n, 60 FROM generate_series(1, 4) n`);
  const rowsOfManagers = async () => {
    const { rows } = await server.pool.query(
      "SELECT count(*)::integer AS count FROM im_admin.received_group_requests WHERE manager_user_id LIKE 'v%'",
    );
    return rows[0].count;
  };
  let before = 0;
  let writers = 0;
  const afterOneMore = async () => {
    writers += 1;
    await server.pool.query(
      "INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g3', $1, 60)",
      [`m${writers}`],
    );
    const after = await rowsOfManagers();
    expect(after - before).toBeLessThanOrEqual(5000);
    before = after;
    return after;
  };
  await expect.poll(afterOneMore, { interval: 5 }).toBe(8000);
  expect((await answered("v4"))?.length).toBe(10);
});
