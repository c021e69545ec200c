import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../../adapters/auth.js";
import { createD1Store } from "../../src/stores/drivers/d1.js";
import { pageAt } from "../helpers/docs/pages.js";
import { block } from "../helpers/docs/recipePage.js";
import { texts } from "../helpers/http/request.js";
import { temporaryFolder } from "../helpers/stores.js";
import { bundleWorker, startWorker, type TestWorker } from "../helpers/workerd.js";

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const secret = "a secret of the example";

/** Makes a Worker's database by the migrations' files, with one notification account in it. */
async function prepare({ run, database }: TestWorker): Promise<void> {
  for (const name of ["0001.sql"]) {
    for (const statement of file(`migrations/${name}`).split(/;\n\n/)) await run(statement);
  }
  await createD1Store(database).put({ users: [{ userID: "news", nickname: "News", appMangerLevel: 3 }] });
}

async function startUnprepared(contents: string) {
  const worker = await startWorker(contents, { bindings: { IM_ADMIN_SECRET: secret } });
  onTestFinished(() => worker.stop());
  return worker;
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

/** The program of docs/cloudflare.md that contains a text. */
function programWith(part: string): string {
  const program = pageAt("docs/cloudflare.md").blocks.find(({ code }) => code.includes(part));
  if (program === undefined) throw new Error(`there is no program with ${part}`);
  return program.code;
}

const worker = `
  export { createFetchHandler } from "im-admin/fetch";
  export * from "im-admin";
  export { createD1Store } from "im-admin/d1";`;

it.each([
  ["core, fetch handler and D1 store", worker, 35_840],
  ["these and jwtAuthenticator", `${worker} export { jwtAuthenticator } from "im-admin/auth";`, 36_352],
  ["the first ones and relay", `${worker} export { relay } from "im-admin/fetch";`, 38_400],
])("takes of a Worker for %s, all dependencies included", async (_what, contents, bytes) => {
  const { code, imports } = await bundleWorker(contents, { minify: true });
  expect(imports).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(bytes);
});

const [, table = ""] = file("docs/engines.md").split("## All subpaths");
const rows = [...table.matchAll(/^\| `im-admin([\w/-]*)` \| .* \| (?:([\d.]+) KB )?\|$/gm)];
const sizes = rows.filter(([, , size]) => size !== undefined);

it("has a table with all subpaths in docs/engines.md", () => {
  const subpaths = Object.keys(JSON.parse(file("package.json")).exports);
  expect(rows.map(([, subpath = ""]) => `.${subpath}`).sort()).toEqual(subpaths.sort());
  expect(sizes).toHaveLength(15);
});

it.each(
  sizes.map(([, subpath = "", kilobytes]) => ({ subpath: `im-admin${subpath}`, bytes: Number(kilobytes) * 1000 })),
)("takes at most $bytes bytes for $subpath, and not much less", async ({ subpath, bytes }) => {
  const { code } = await bundleWorker(`export * from "${subpath}";`, { minify: true });
  const { length } = gzipSync(code);
  expect(length).toBeLessThanOrEqual(bytes);
  expect(length).toBeGreaterThan(0.8 * bytes);
});

it("runs the Worker of docs/recipes.md", async () => {
  const worker = await startUnprepared(block("Cloudflare Workers"));
  await prepare(worker);
  expect(await search(`http://127.0.0.1:${worker.port}/user/search_notification_account`)).toEqual(found);
});

it("runs the example of Durable Objects, with a store for each tenant", async () => {
  const folder = temporaryFolder();
  const { code } = await bundleWorker(
    'export * from "./examples/durable-object/worker.ts"; export { default } from "./examples/durable-object/worker.ts"',
  );
  const miniflare = new Miniflare({
    modules: true,
    script: code,
    compatibilityDate: "2026-04-01",
    bindings: { IM_ADMIN_SECRET: secret },
    durableObjects: { TENANTS: { className: "Tenant", useSQLite: true } },
    durableObjectsPersist: folder,
  });
  onTestFinished(() => miniflare.dispose());
  const origin = `${await miniflare.ready}`;
  const token = await signAdminToken({ secret, userID: "imAdmin" });
  const put = async (tenant: string, body: string, headers: Record<string, string> = { token }) => {
    const { status } = await fetch(`${origin}${tenant}/users`, { method: "PUT", headers, body });
    return status;
  };
  const databases = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /(?<!metadata)\.sqlite$/.test(path));
  const path = "user/search_notification_account";

  // Nobody makes an object without a token, nor with a name that no tenant has.
  expect(await put("one", "[]", {})).toBe(401);
  const refused = await fetch(`${origin}one/${path}`, { method: "POST", headers: { operationID: "op1" }, body: "{}" });
  expect(await refused.json()).toMatchObject({ errCode: 1001, errDlt: "1001 ArgsError: header must have token" });
  expect(await put("Two%20words", "[]")).toBe(404);
  expect(databases()).toEqual([]);

  const tenants = { one: "One", two: "Two" };
  for (const [tenant, nickname] of Object.entries(tenants)) {
    expect(await put(tenant, JSON.stringify([{ userID: "news", nickname, appMangerLevel: 3 }]))).toBe(204);
  }
  for (const body of ["{", "{}", '[{ "userID": "" }]']) expect(await put("one", body)).toBe(400);
  for (const [tenant, nickName] of Object.entries(tenants)) {
    expect(await search(`${origin}${tenant}/${path}`)).toMatchObject({
      data: { total: 1, notificationAccounts: [{ userID: "news", nickName }] },
    });
  }
  expect(databases()).toHaveLength(2);
});

it("runs the example Worker: itty-router with a route of its own, D1, and the migrations as files", async () => {
  const worker = await startUnprepared('export { default } from "./examples/worker/worker.ts"');
  const url = `http://127.0.0.1:${worker.port}`;
  const path = "/admin/user/search_notification_account";
  // It prints why its calls fail where the migrations were forgotten.
  expect(await search(url + path)).toEqual(JSON.parse(texts.internalError));
  const failures = () =>
    worker
      .printed()
      .split("\n")
      .filter((line) => line.includes("see wrangler d1 migrations"));
  await expect.poll(failures).not.toEqual([]);
  expect(JSON.parse(failures()[0] ?? "")).toMatchObject({
    operation: "searchNotificationAccount",
    operationID: "op1",
  });
  await prepare(worker);
  expect(await (await fetch(url)).json()).toEqual({ service: "chat", administration: "/admin" });
  expect(await search(url + path)).toEqual(found);
});

it("runs the Worker of docs/cloudflare.md with read replicas: a client reads what it wrote", async () => {
  const worker = await startUnprepared(programWith("withSession"));
  await prepare(worker);
  await createD1Store(worker.database).put({ groups: [{ groupID: "g1" }] });
  const token = await signAdminToken({ secret, userID: "imAdmin" });
  let bookmark: string | null = null;
  const call = async (path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${worker.port}/admin/${path}`, {
      method: "POST",
      headers: { operationID: "op1", token, ...(bookmark !== null && { "x-d1-bookmark": bookmark }) },
      body: JSON.stringify(body),
    });
    bookmark = answer.headers.get("x-d1-bookmark");
    expect(bookmark).toMatch(/^[0-9a-f-]+$/);
    return answer.json();
  };
  const conversation = { conversationID: "c", conversationType: 3, groupID: "g1", ex: "new" };
  expect(await call("conversation/set_conversations", { userIDs: ["news"], conversation })).toMatchObject({
    errCode: 0,
  });
  const pagination = { pageNumber: 1, showNumber: 20 };
  expect(await call("user/search_notification_account", { pagination })).toEqual(found);
});

it("runs the Worker of docs/cloudflare.md with the console", async () => {
  const program = programWith("createConsoleHandler").replace("./worker.js", "./examples/worker/worker.ts");
  const worker = await startUnprepared(program);
  await prepare(worker);
  const url = `http://127.0.0.1:${worker.port}`;
  expect(await (await fetch(`${url}/console`)).text()).toContain("<!doctype html>");
  expect(await search(`${url}/admin/user/search_notification_account`)).toEqual(found);
});

it("keeps a connection on which it refuses requests unread", async () => {
  const { code } = await bundleWorker(`
    import { createFetchHandler } from "im-admin/fetch";
    const store = () => Promise.reject(new Error("nobody gets so far"));
    const authenticate = () => ({ failure: "TokenNotExistError" });
    export default { fetch: createFetchHandler({ store, authenticate, basePath: "/admin" }) };`);
  const miniflare = new Miniflare({ modules: true, script: code, compatibilityDate: "2026-04-01" });
  onTestFinished(() => miniflare.dispose());
  const { port } = await miniflare.ready;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = (path: string, method: string, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ agent, port, path, method }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      });
      sent.once("error", reject).end(body);
    });
  const statuses = [];
  const refused = "/admin/group/get_group_member_list";
  for (let round = 0; round < 10; round++) {
    statuses.push(await send("/admin/nowhere", "POST", "x".repeat(100_000)));
    statuses.push(await send(refused, "PUT", "x".repeat(100_000)));
    statuses.push(await send(refused, "POST", "x".repeat(2_000_000)));
    statuses.push(await send(refused, "POST", "x".repeat(100_000)));
  }
  expect(statuses).toEqual(Array.from({ length: 10 }, () => [404, 405, 413, 200]).flat());
});
