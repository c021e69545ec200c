import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresStore, migratePostgres, settlePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../../src/stores/postgres/upkeep/checkAll.js";
import { rounds } from "../../../helpers/chance.js";
import { type PostgresCluster, startCluster } from "../../../helpers/postgres/cluster.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startCluster({ settings: ["fsync=on"] });
  await openMigrated(cluster.pool, { groups: [{ groupID: "g1" }] });
});
afterAll(() => cluster.stop());

/** How often the server is killed. */
const crashes = rounds(12);

it("has lost nothing that it has acknowledged, and counts right, when the server was killed", async () => {
  const store = createPostgresStore({ pool: cluster.pool });
  const acknowledged = new Set<string>();
  for (let round = 0; round < crashes; round += 1) {
    let isDown = false;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; !isDown; index += 1) {
        const userID = `w${round}-${writer}-${index}`;
        // Single members, and many at once.
        const groupMembers = Array.from({ length: index % 10 ? 1 : 700 }, (_, copy) => ({
          groupID: "g1",
          userID: `${userID}-${copy}`,
        }));
        try {
          if (index % 3 === 0) await settlePostgres(cluster.pool);
          await store.put({ groupMembers });
          for (const member of groupMembers) acknowledged.add(member.userID);
        } catch {
          isDown = true;
        }
      }
    });
    await expect.poll(() => acknowledged.size).toBeGreaterThan(round * 2000);
    await cluster.kill();
    await Promise.all(writers);
    await cluster.start();
    expect(await checkLists(cluster.pool, quoted("im_admin"))).toEqual([]);
  }
  const { rows } = await cluster.pool.query("SELECT user_id AS id FROM im_admin.group_members");
  const stored = new Set(rows.map(({ id }) => id));
  expect([...acknowledged].filter((userID) => !stored.has(userID))).toEqual([]);
  const page = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: stored.size - 1, limit: 5 });
  expect([page?.total, page?.items.length]).toEqual([stored.size, 1]);
});

it("migrates wholly or not at all when the server was killed meanwhile", async () => {
  for (let round = 0; round < 2; round += 1) {
    const schema = `killed${round}`;
    let isOver = false;
    const migration = migratePostgres(cluster.pool, { schema })
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
    const locks = () => cluster.pool.query("SELECT FROM pg_locks WHERE locktype = 'advisory'");
    await expect.poll(async () => isOver || (await locks()).rows.length > 0).toBe(true);
    await cluster.kill();
    await migration;
    await cluster.start();
    await migratePostgres(cluster.pool, { schema });
    expect(await checkLists(cluster.pool, quoted(schema))).toEqual([]);
  }
});
