import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../adapters/auth.js";
import { createD1Store } from "../src/stores/d1.js";
import { bundleWorker } from "./worker.js";

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const secret = "a secret of the example";

/** Runs a Worker, on a D1 database made by the migrations' files, with one notification account in it. */
async function startExample(contents: string): Promise<Miniflare> {
  const miniflare = new Miniflare({
    modules: true,
    script: (await bundleWorker(contents)).code,
    compatibilityDate: "2026-04-01",
    d1Databases: ["DB"],
    bindings: { IM_ADMIN_SECRET: secret },
  });
  onTestFinished(() => miniflare.dispose());
  const database = await miniflare.getD1Database("DB");
  for (const statement of file("migrations/0001.sql").split(/;\n\n/)) await database.prepare(statement).run();
  await createD1Store(database).put({ users: [{ userID: "news", nickname: "News", appMangerLevel: 3 }] });
  return miniflare;
}

async function search(miniflare: Miniflare, path: string): Promise<unknown> {
  const answer = await miniflare.dispatchFetch(`http://localhost${path}`, {
    method: "POST",
    headers: { operationID: "op1", token: await signAdminToken({ secret, userID: "imAdmin" }) },
    body: '{"pagination":{"pageNumber":1,"showNumber":20}}',
  });
  return answer.json();
}

const found = {
  errCode: 0,
  errMsg: "",
  errDlt: "",
  data: { total: 1, notificationAccounts: [{ userID: "news", faceURL: "", nickName: "News" }] },
};

it("takes less than 20 KB of a Worker, all dependencies included, and no module of Node", async () => {
  const everything = `
    export * from "./adapters/fetch.ts";
    export * from "./src/index.ts";
    export { createD1Store } from "./src/stores/d1.ts";`;
  const { code, imports } = await bundleWorker(everything, { minify: true });
  expect(imports).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(20_000);
});

it("runs the Worker of the README", async () => {
  const [, worker = ""] = /```js\n(.*?)```/s.exec(file("README.md")) ?? [];
  expect(await search(await startExample(worker), "/user/search_notification_account")).toEqual(found);
});

it("runs the example Worker: itty-router with a route of its own, D1, and the migrations as files", async () => {
  const miniflare = await startExample('export { default } from "./examples/worker/worker.ts"');
  const own = await miniflare.dispatchFetch("http://localhost/");
  expect(await own.json()).toEqual({ service: "chat", administration: "/admin" });
  expect(await search(miniflare, "/admin/user/search_notification_account")).toEqual(found);
});
