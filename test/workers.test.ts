import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../adapters/auth.js";
import { createD1Store } from "../src/stores/drivers/d1.js";
import { bundleWorker, startWorker } from "./worker.js";

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const secret = "a secret of the example";

/** Runs a Worker, on a D1 database made by the migrations' files, with one notification account in it. */
async function startExample(contents: string): Promise<string> {
  const worker = await startWorker(contents, { IM_ADMIN_SECRET: secret });
  onTestFinished(() => worker.stop());
  for (const statement of file("migrations/0001.sql").split(/;\n\n/)) await worker.run(statement);
  await createD1Store(worker.database).put({ users: [{ userID: "news", nickname: "News", appMangerLevel: 3 }] });
  return `http://127.0.0.1:${worker.port}`;
}

async function search(url: string): Promise<unknown> {
  const answer = await fetch(url, {
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

it("takes less than 25 KB of a Worker, all dependencies included, and no module of Node", async () => {
  const everything = `
    export * from "./adapters/fetch.ts";
    export * from "./src/index.ts";
    export { createD1Store } from "./src/stores/drivers/d1.ts";`;
  const { code, imports } = await bundleWorker(everything, { minify: true });
  expect(imports).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(25_000);
});

it("runs the Worker of the README", async () => {
  const [, worker = ""] = /```js\n(.*?)```/s.exec(file("README.md")) ?? [];
  expect(await search(`${await startExample(worker)}/user/search_notification_account`)).toEqual(found);
});

it("runs the example Worker: itty-router with a route of its own, D1, and the migrations as files", async () => {
  const url = await startExample('export { default } from "./examples/worker/worker.ts"');
  const own = await fetch(url);
  expect(await own.json()).toEqual({ service: "chat", administration: "/admin" });
  expect(await search(`${url}/admin/user/search_notification_account`)).toEqual(found);
});
