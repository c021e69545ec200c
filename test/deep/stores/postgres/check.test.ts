import { expect, it } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { repairLists } from "../../../../src/stores/postgres/upkeep/repair.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { corruptions } from "../../../helpers/postgres/corruptions.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../../helpers/postgres/sessions.js";

const schema = quoted("im_admin");
/** So many that their list has nodes of two levels. */
const groupMembers = Array.from({ length: 20_000 }, (_, index) => ({
  groupID: "g1",
  userID: `u${index}`,
  roleLevel: index === 1 ? 60 : 20,
}));
const server = postgresForFile(
  async (pool) => {
    const store = await openMigrated(pool, { groups: [{ groupID: "g1" }] });
    await store.put({ groupMembers, groupRequests: [{ groupID: "g1", userID: "u2" }] });
    await settle(pool);
  },
  { deadlock_timeout: "100ms" },
);

it.each(corruptions)("finds and repairs what %s does", async (statement, expected) => {
  const store = createPostgresStore({ pool: server.pool });
  await store.put({ groupMembers: [{ groupID: "g1", userID: "u7" }] });
  await store.remove({ users: [{ userID: "u8" }] });
  await settle(server.pool);
  expect(await problemsOf(server.pool)).toEqual([]);
  await server.pool.query(statement);
  expect(await problemsOf(server.pool)).toEqual(expected);
  await repairLists(server.pool, schema);
  expect(await problemsOf(server.pool)).toEqual([]);
  const page = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1 });
  expect(page?.total).toBe(statement.includes("'u7'") ? 19_999 : 20_000);
});

it("has no deadlock between repairs and settling", async () => {
  const random = randomOf(seed);
  let isOver = false;
  const errors: string[] = [];
  const settling = async () => {
    while (!isOver) {
      await server.pool.query("SELECT im_admin.settle()").catch((error) => errors.push(error.message));
      // They are to meet repairs at other steps each time.
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
    }
  };
  await server.pool.query("TRUNCATE im_admin.group_members");
  const settlers = [settling(), settling()];
  for (let count = 0; count < rounds(10); count += 1) await repairLists(server.pool, schema);
  isOver = true;
  await Promise.all(settlers);
  expect(errors).toEqual([]);
});
