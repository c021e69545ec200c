import { AutoRouter, error, IttyRouter, Router } from "itty-router";
import { AutoRouter as AutoRouter6, IttyRouter as IttyRouter6, Router as Router6 } from "itty-router-6";
import { describe, expect, it } from "vitest";
import { fixedTokenAuthenticator } from "../../adapters/auth.js";
import type { FetchHandler } from "../../adapters/fetch.js";
import { type AdminRouter, mountAdminRoutes } from "../../adapters/itty-router.js";
import { memoryStore } from "../helpers/stores.js";

const authenticate = fixedTokenAuthenticator([{ token: "known", adminUserID: "imAdmin" }]);
const headers = { operationID: "op", token: "known" };
const body = '{"pagination":{"pageNumber":1,"showNumber":1}}';
const emptyList = '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"notificationAccounts":[]}}';
const search = (path: string) => new Request(`http://localhost${path}`, { method: "POST", headers, body });

type MakeRouter = (options?: { base?: string }) => AdminRouter & { fetch: FetchHandler };

const routers: [name: string, make: MakeRouter][] = [
  ["IttyRouter", IttyRouter],
  ["Router", Router],
  ["AutoRouter", AutoRouter],
  ["IttyRouter of version 6", IttyRouter6],
  ["Router of version 6", Router6],
  ["AutoRouter of version 6", AutoRouter6],
];

/** What a host application answers to its own requests. */
async function hostAnswers(makeRouter: typeof AutoRouter, mount: boolean) {
  const log: string[] = [];
  const router = makeRouter({
    before: [(request) => void log.push(`before ${request.method}`)],
    finally: [(response) => void log.push(`finally ${response?.status}`)],
    catch: (problem) => error(418, String(problem)),
    missing: () => error(404, "nothing of ours"),
  });
  router.get("/hello/:name", ({ name }) => `Hello ${name}`);
  router.post("/broken", () => {
    throw new Error("host");
  });
  if (mount) mountAdminRoutes(router, { store: memoryStore(), authenticate, basePath: "/admin" });
  router.get("/late", () => "late");
  const answers = [];
  for (const [method, path] of [
    ["GET", "/hello/Ann"],
    ["POST", "/broken"],
    ["GET", "/late"],
    ["POST", "/nowhere"],
    ["POST", "/user/search_notification_account"],
    ["OPTIONS", "/admin"],
  ]) {
    const response = await router.fetch(new Request(`http://localhost${path}`, { method: method ?? "" }));
    answers.push([path, response.status, await response.text()]);
  }
  return { answers, log };
}

describe("mountAdminRoutes", () => {
  it.each([
    ["5", AutoRouter],
    ["6", AutoRouter6 as typeof AutoRouter],
  ])("leaves the host's routes, handlers and errors as they are, on version %s", async (_version, makeRouter) => {
    const [withUs, without] = [await hostAnswers(makeRouter, true), await hostAnswers(makeRouter, false)];
    expect(withUs).toEqual(without);
    expect(withUs.answers).toContainEqual(["/hello/Ann", 200, '"Hello Ann"']);
    expect(withUs.answers.map(([, status]) => status)).toEqual([200, 418, 200, 404, 404, 404]);
  });

  it.each(routers)("registers on %s with a base, and gives the router back", async (_name, make) => {
    const router = make({ base: "/api" });
    expect(mountAdminRoutes(router, { store: memoryStore(), authenticate, basePath: "/admin" })).toBe(router);
    const response: Response = await router.fetch(search("/api/admin/user/search_notification_account"));
    expect(await response.text()).toBe(emptyList);
  });

  it.each(routers)("takes a base path as it is written, also where it is a pattern to %s", async (_name, make) => {
    const basePath = "/a+b/(x)/:id/c.d/*/$1";
    const router = mountAdminRoutes(make(), { store: memoryStore(), authenticate, basePath });
    router.all("*", () => new Response("another route"));
    const answered = async (path: string) => {
      const response: Response = await router.fetch(search(`${path}/user/search_notification_account`));
      return response.text();
    };
    expect(await answered(basePath)).toBe(emptyList);
    for (const path of [
      "/aab/(x)/:id/c.d/*/$1",
      "/a+b/(x)/7/c.d/*/$1",
      "/a+b/(x)/:id/c-d/*/$1",
      "/a+b/(x)/:id/c.d/x/$1",
    ]) {
      expect(await answered(path)).toBe("another route");
    }
  });

  it.each(routers)("answers a request that has no body, on %s", async (_name, make) => {
    const router = mountAdminRoutes(make(), { store: memoryStore(), authenticate });
    const empty = new Request("http://localhost/user/search_notification_account", { method: "POST", headers });
    expect(empty.body).toBe(null);
    const response: Response = await router.fetch(empty);
    expect([response.status, await response.text()]).toEqual([
      200,
      '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must be a JSON object in UTF-8"}',
    ]);
  });

  it("is handed what a finally handler changes", async () => {
    const router = Router({ finally: [(response: Response) => response.headers.set("x-host", "here")] });
    mountAdminRoutes(router, { store: memoryStore(), authenticate });
    const response: Response = await router.fetch(search("/user/search_notification_account"));
    expect([response.headers.get("x-host"), await response.text()]).toEqual(["here", emptyList]);
  });

  it("lets an observer finish after the answer, where the runtime offers it", async () => {
    const kept: Promise<unknown>[] = [];
    let finished = false;
    const onCall = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      finished = true;
    };
    const router = mountAdminRoutes(AutoRouter(), { store: memoryStore(), authenticate, observer: { onCall } });
    const context = { waitUntil: (promise: Promise<unknown>) => void kept.push(promise) };
    await router.fetch(search("/user/search_notification_account"), {}, context);
    expect(finished).toBe(false);
    await Promise.all(kept);
    expect(finished).toBe(true);
  });
});
