import { expect, it } from "vitest";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { fill, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();

it("has as many leaves as a list has use for, when it has grown and when most of it is gone", async () => {
  const store = await openMigrated(server.pool, { groups: [{ groupID: "g1" }] });
  const leaves = async () => {
    await settle(server.pool);
    const { rows } = await server.pool.query(
      "SELECT count(*)::integer AS leaves FROM im_admin.list_nodes WHERE list = 'group_members' AND level = 1",
    );
    return rows[0].leaves;
  };
  await server.pool.query(fill("v", 20_000));
  expect(await leaves()).toBe(417);
  await server.pool.query("DELETE FROM im_admin.group_members WHERE user_id NOT LIKE 'v11%'");
  expect(await leaves()).toBeLessThan(60);
  const last = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 1110, limit: 3 });
  expect([last?.total, last?.items.map(({ userID }) => userID)]).toEqual([1111, ["v11999"]]);
});
