/** Tenants in schemas of two servers, one of which moves while all are read, by the command of docs/postgres.md. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import type { Store } from "../../../src/index.js";
import { createPostgresStore, migratePostgres, settlePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { startCluster } from "../../helpers/postgres/cluster.js";

async function startServer() {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  return { pool: cluster.pool, url: `postgres:///postgres?host=${cluster.folder}&user=postgres` };
}

it("moves a tenant to another server while all tenants are read and the other one is written", async () => {
  const [from, to] = [await startServer(), await startServer()];
  const stores = new Map<string, Store>();
  for (const schema of ["acme", "globex"]) {
    await migratePostgres(from.pool, { schema });
    const store = createPostgresStore({ pool: from.pool, schema });
    stores.set(schema, store);
    const userIDs = Array.from({ length: 3_000 }, (_, index) => `${schema}${index}`);
    await store.put({
      users: userIDs.map((userID) => ({ userID, nickname: `Name of ${userID}` })),
      groups: [{ groupID: "g" }],
      groupMembers: userIDs.map((userID) => ({ groupID: "g", userID, roleLevel: 20, joinTime: 1790000000000 })),
    });
    await settlePostgres(from.pool, { schema });
  }
  const handle = createFetchHandler({
    authenticate: () => ({ adminUserID: "imAdmin" }),
    store: (request) => stores.get(request.header("x-tenant") ?? "") as Store,
  });
  const page = async (tenant: string, keyword = "") => {
    const body = JSON.stringify({ groupID: "g", keyword, pagination: { pageNumber: 1, showNumber: 1 } });
    const headers = { "content-type": "application/json", operationID: "1", token: "t", "x-tenant": tenant };
    const url = "http://im.example.org/group/get_group_member_list";
    const answer = (await handle(new Request(url, { method: "POST", headers, body }))) as Response;
    const { data } = (await answer.json()) as { data?: { total: number } };
    return data?.total;
  };

  let isMoving = true;
  let pages = 0;
  const reading = (async () => {
    for (; isMoving; pages += 1) expect([await page("acme"), await page("acme", "acme299")]).toEqual([3_000, 11]);
  })();
  let written = 0;
  const writing = (async () => {
    for (; isMoving; written += 1) {
      await from.pool.query("DELETE FROM globex.group_members WHERE user_id = $1", [`globex${written}`]);
      expect(await page("globex")).toBe(2_999 - written);
    }
  })();
  const command = blockIn("docs/postgres.md", "pg_dump");
  const { PATH = "", POSTGRES_BIN = "" } = process.env;
  const env = { PATH: `${POSTGRES_BIN}:${PATH}`, FROM_URL: from.url, TO_URL: to.url };
  const [status] = await once(spawn("bash", ["-o", "pipefail", "-ec", command], { env, stdio: "inherit" }), "close");
  expect(status).toBe(0);
  stores.set("acme", createPostgresStore({ pool: to.pool, schema: "acme" }));
  // A call may still read the first server.
  const before = pages;
  await expect.poll(() => pages).toBeGreaterThan(before + 1);
  await from.pool.query("DROP SCHEMA acme CASCADE");
  await expect.poll(() => pages).toBeGreaterThan(before + 2);
  isMoving = false;
  await Promise.all([reading, writing]);
  expect(written).toBeGreaterThan(0);

  expect([await page("acme"), await page("acme", "acme299"), await page("globex")]).toEqual([
    3_000,
    11,
    3_000 - written,
  ]);
  await to.pool.query("DELETE FROM acme.group_members WHERE user_id = 'acme2990'");
  await settlePostgres(to.pool, { schema: "acme" });
  expect([await page("acme"), await page("acme", "acme299")]).toEqual([2_999, 10]);
  for (const [pool, schema] of [
    [to.pool, "acme"],
    [from.pool, "globex"],
  ] as const) {
    expect(await checkLists(pool, quoted(schema))).toEqual([]);
  }
});
