import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../adapters/auth.js";
import { createD1Store } from "../src/stores/d1.js";
import { bundleWorker } from "./worker.js";

it("takes less than 20 KB of a Worker, all dependencies included, and no module of Node", async () => {
  const { code, imports } = await bundleWorker("./children/smallestWorker.ts", { minify: true });
  expect(imports).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(20_000);
});

it("runs the example Worker: itty-router with routes of its own, D1, and the migrations as files", async () => {
  const secret = "a secret of the example";
  const miniflare = new Miniflare({
    modules: true,
    script: (await bundleWorker("../examples/worker/worker.ts")).code,
    compatibilityDate: "2026-04-01",
    d1Databases: ["DB"],
    bindings: { IM_ADMIN_SECRET: secret },
  });
  onTestFinished(() => miniflare.dispose());
  const database = await miniflare.getD1Database("DB");
  const migration = readFileSync(new URL("../migrations/0001.sql", import.meta.url), "utf8");
  for (const statement of migration.split(/;\n\n/)) await database.prepare(statement).run();
  await createD1Store(database).put({ users: [{ userID: "news", nickname: "News", appMangerLevel: 3 }] });

  const own = await miniflare.dispatchFetch("http://localhost/");
  expect(await own.json()).toEqual({ service: "chat", administration: "/admin" });

  const answer = await miniflare.dispatchFetch("http://localhost/admin/user/search_notification_account", {
    method: "POST",
    headers: { operationID: "op1", token: await signAdminToken({ secret, userID: "imAdmin" }) },
    body: '{"pagination":{"pageNumber":1,"showNumber":20}}',
  });
  expect(await answer.json()).toEqual({
    errCode: 0,
    errMsg: "",
    errDlt: "",
    data: { total: 1, notificationAccounts: [{ userID: "news", faceURL: "", nickName: "News" }] },
  });
});
