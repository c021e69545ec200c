import { createRequire } from "node:module";
import { expect, it, onTestFinished, vi } from "vitest";
import { migrateD1 } from "../../../../src/stores/drivers/d1.js";
import { startWorker } from "../../../helpers/workerd.js";

const { default: workerd } = createRequire(import.meta.url)("workerd") as { default: string };

// D1 allows triggers ten deep, and counts them when a statement is prepared, whether or not they would run.
it.each([
  [
    "INSERT INTO im_admin_users (user_id) VALUES ('u1') ON CONFLICT DO UPDATE SET nickname = 'Ann', app_manger_level = 3",
    5,
  ],
  [
    "INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g1', 'u1') ON CONFLICT DO UPDATE SET role_level = 60",
    5,
  ],
  ["DELETE FROM im_admin_group_members", 5],
  [
    "INSERT INTO im_admin_blacks (owner_user_id, black_user_id) VALUES ('u1', 'u2') ON CONFLICT DO UPDATE SET create_time = 1",
    5,
  ],
  [
    "INSERT INTO im_admin_group_requests (group_id, user_id) VALUES ('g1', 'u1') ON CONFLICT DO UPDATE SET handle_result = 1",
    5,
  ],
  ["INSERT INTO im_admin_groups (group_id) VALUES ('g1') ON CONFLICT DO NOTHING", 10],
])("the newest workerd leaves triggers of a host above %s %i levels", { timeout: 120_000 }, async (write, levels) => {
  vi.stubEnv("MINIFLARE_WORKERD_PATH", workerd);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { database, run, stop } = await startWorker();
  onTestFinished(stop);
  await migrateD1(database);
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
  expect(most).toBe(levels);
});
