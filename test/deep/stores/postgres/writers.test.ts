import { beforeEach, expect, it } from "vitest";
import { type BundledStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { fill, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
let store: BundledStore;
beforeEach(async () => {
  store = await openMigrated(server.pool, { groups: [{ groupID: "g1" }, { groupID: "g2" }] });
});

it("has lists counted by those who write them, but for those that would take a while", async () => {
  await server.pool.query(`${fill("v", 1000, "g1")}; ${fill("v", 11_000, "g2")}`);
  const lists = async () => {
    const { rows } = await server.pool.query(
      "SELECT owner, is_marked, is_counted FROM im_admin.lists WHERE list = 1 ORDER BY owner",
    );
    return rows;
  };
  const isOver = ([one, other] = [] as Awaited<ReturnType<typeof lists>>) => one?.is_counted && other?.is_marked;
  for (let writes = 1; !isOver(await lists()); writes += 1) {
    await store.put({ groupMembers: ["g1", "g2"].map((groupID) => ({ groupID, userID: `w${writes}` })) });
    const page = await store.listGroupMembers({ groupID: "g2", keyword: "", offset: 0, limit: 1 });
    expect(page?.total).toBe(11_000 + writes);
  }
  expect((await lists()).map(({ is_counted }) => is_counted)).toEqual([true, false]);
  await migratePostgres(server.pool);
  expect((await lists()).map(({ is_counted }) => is_counted)).toEqual([true, true]);
});

it("divides a list in as many ranges as it has use for, when it has grown and when most of it is gone", async () => {
  const ranges = async () => {
    await settle(server.pool);
    const { rows } = await server.pool.query(
      "SELECT sum(cardinality(totals))::integer AS ranges FROM im_admin.list_nodes WHERE list = 1 AND level = 1",
    );
    return rows[0].ranges;
  };
  await server.pool.query(fill("v", 20_000));
  expect(await ranges()).toBeGreaterThan(200);
  await server.pool.query("DELETE FROM im_admin.group_members WHERE user_id NOT LIKE 'v11%'");
  expect(await ranges()).toBeLessThan(30);
  const last = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 1110, limit: 3 });
  expect([last?.total, last?.items.map(({ userID }) => userID)]).toEqual([1111, ["v11999"]]);
});
