import { createRequire } from "node:module";
import { expect, it, onTestFinished, vi } from "vitest";
import { migrateD1 } from "../../../../src/stores/drivers/d1.js";
import { tablesSql } from "../../../../src/stores/tablesSql.js";
import { hostMap, hostTables } from "../../../helpers/sqliteHost.js";
import { startWorker } from "../../../helpers/workerd.js";

const { default: workerd } = createRequire(import.meta.url)("workerd") as { default: string };

// D1 allows triggers ten deep, and counts them when a statement is prepared, whether or not they would run.
it.each([
  "INSERT INTO im_admin_users (user_id) VALUES ('u1') ON CONFLICT DO UPDATE SET nickname = 'Ann', app_manger_level = 3",
  "INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g1', 'u1') ON CONFLICT DO UPDATE SET role_level = 60",
  "DELETE FROM im_admin_group_members",
  "INSERT INTO im_admin_blacks (owner_user_id, black_user_id) VALUES ('u1', 'u2') ON CONFLICT DO UPDATE SET create_time = 1",
  "INSERT INTO im_admin_group_requests (group_id, user_id) VALUES ('g1', 'u1') ON CONFLICT DO UPDATE SET handle_result = 1",
])("the newest workerd leaves triggers of a host nine levels above %s", { timeout: 120_000 }, async (write) => {
  expect(await levelsAbove(write)).toBe(9);
});

// The map tells other unique columns of the first two.
it.each([
  "INSERT INTO users (id) VALUES (1) ON CONFLICT DO UPDATE SET name = 'Ann', kind = 3",
  "INSERT INTO members (tenant, group_id, user_id) VALUES ('a', 1, 1) ON CONFLICT DO UPDATE SET role = 'owner'",
  "INSERT INTO blocked VALUES (1, 2, 0) ON CONFLICT DO UPDATE SET at = 1",
  "INSERT INTO asked VALUES ('a', 1, 'u1', 0, 0) ON CONFLICT DO UPDATE SET state = 1",
])("the same where tables are mapped: %s", { timeout: 120_000 }, async (write) => {
  const tables = `${hostTables} INSERT INTO users (id) VALUES (1)`.split(";");
  expect(await levelsAbove(write, [...tables, ...tablesSql(hostMap, { engine: "sqlite" }).install])).toBe(9);
});

/** How deep triggers of a host may nest that come to a statement in the end. */
async function levelsAbove(write: string, before: readonly string[] = []): Promise<number> {
  vi.stubEnv("MINIFLARE_WORKERD_PATH", workerd);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { database, run, stop } = await startWorker();
  onTestFinished(stop);
  await migrateD1(database);
  for (const statement of before) await run(statement);
  let most = 0;
  for (let level = 1; level <= 11; level += 1) {
    const further = level === 1 ? write : `INSERT INTO host${level - 1} VALUES (1)`;
    await run(`CREATE TABLE host${level} (a)`);
    await run(`CREATE TRIGGER host${level} AFTER INSERT ON host${level} BEGIN ${further}; END`);
    const failure = await run(`INSERT INTO host${level} VALUES (1)`).catch(String);
    if (typeof failure === "string") {
      expect(failure).toContain("triggers nested too deep");
      break;
    }
    most = level;
  }
  return most;
}
