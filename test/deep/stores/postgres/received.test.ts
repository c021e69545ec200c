import { beforeEach, expect, it } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { migrateSmall, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile(migrateSmall);

beforeEach(async () => {
  await openMigrated(server.pool, {
    users: [{ userID: "u1" }],
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
    groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 60 }],
    groupRequests: [
      { groupID: "g1", userID: "u2", reqTime: 2 },
      { groupID: "g1", userID: "u3", reqTime: 3, handleResult: 1 },
    ],
  });
});

/** A page of the requests that u1 receives. */
async function received(query: { offset?: number; handleResults?: number[] } = {}) {
  const store = createPostgresStore({ pool: server.pool });
  const page = await store.listReceivedGroupRequests({ userID: "u1", offset: 0, limit: 10, ...query });
  return {
    total: page?.total,
    items: page?.items.map(({ groupInfo, userInfo }) => `${groupInfo.groupID} ${userInfo.userID}`),
  };
}

it("merges the requests of many groups, at every place, with trees and without", async () => {
  // g10 has three hundred requests, g11 to g19 have thirty each, and g20 to g39 have two.
  await server.pool.query(`
    INSERT INTO im_admin.group_members (group_id, user_id, role_level)
      SELECT 'g' || n, 'u1', 60 FROM generate_series(10, 39) n;
    INSERT INTO im_admin.group_requests (group_id, user_id, req_time, handle_result)
      SELECT 'g' || n, 'w' || m, (n * 7919 + m * 104729) % 1000 + 10, m % 3 - 1 FROM generate_series(10, 39) n,
        LATERAL generate_series(1, CASE WHEN n = 10 THEN 300 WHEN n < 20 THEN 30 ELSE 2 END) m`);
  const { rows } = await server.pool.query(`
    SELECT group_id || ' ' || user_id AS name, handle_result FROM im_admin.group_requests
      ORDER BY req_time DESC, group_id, user_id`);
  const names = (results: readonly number[]) =>
    rows.filter(({ handle_result: result }) => results.includes(result)).map(({ name }) => name);
  const assertPages = async () => {
    for (const handleResults of [undefined, [0], [1, -1]]) {
      const expected = names(handleResults ?? [0, 1, -1]);
      for (let offset = 0; offset < expected.length + 20; offset += 13) {
        const page = await received({ offset, ...(handleResults && { handleResults }) });
        expect(page).toEqual({ total: expected.length, items: expected.slice(offset, offset + 10) });
      }
    }
  };
  expect(names([0, 1, -1])).toHaveLength(612);
  await assertPages();
  await settle(server.pool);
  await assertPages();
});

it("writes a few rows when a user becomes a manager, however many requests wait", async () => {
  await server.pool.query(`
    INSERT INTO im_admin.group_requests (group_id, user_id) SELECT 'g2', 'w' || n FROM generate_series(1, 2000) n;
    INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g2', 'u1', 20)`);
  await settle(server.pool);
  await server.pool.query("UPDATE im_admin.group_members SET role_level = 60 WHERE group_id = 'g2'");
  const { rows } = await server.pool.query(
    "SELECT count(*)::integer AS appended FROM im_admin.list_changes WHERE list IN ('group_members', 'joined_groups')",
  );
  expect([rows, (await received()).total]).toEqual([[{ appended: 2 }], 2002]);
});
