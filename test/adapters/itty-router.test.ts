import { AutoRouter, error, IttyRouter, Router } from "itty-router";
import { AutoRouter as AutoRouter6, IttyRouter as IttyRouter6, Router as Router6 } from "itty-router-6";
import { describe, expect, it, vi } from "vitest";
import type { FetchHandler } from "../../adapters/fetch.js";
import { type AdminRouter, mountAdminRoutes } from "../../adapters/itty-router.js";
import { deferred } from "../helpers/deferred.js";
import { byToken, textFrom, token } from "../helpers/http/hosts.js";
import { notFound, requestOf } from "../helpers/http/request.js";
import { sendTo } from "../helpers/http/send.js";
import { memoryStore } from "../helpers/stores.js";

const emptyList = '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"notificationAccounts":[]}}';

function search(router: { fetch: FetchHandler }, base: string): Promise<string> {
  const body = '{"pagination":{"pageNumber":1,"showNumber":1}}';
  return textFrom(router.fetch, { path: `${base}/user/search_notification_account`, body });
}

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
  if (mount) mountAdminRoutes(router, { store: memoryStore(), authenticate: byToken, basePath: "/admin" });
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
    expect(mountAdminRoutes(router, { store: memoryStore(), authenticate: byToken, basePath: "/admin" })).toBe(router);
    expect(await search(router, "/api/admin")).toBe(emptyList);
  });

  it.each(routers)("takes a base path as it is written, also where it is a pattern to %s", async (_name, make) => {
    const basePath = "/a+b/(x)/:id/c.d/*/$1";
    const router = mountAdminRoutes(make(), { store: memoryStore(), authenticate: byToken, basePath });
    router.all("*", () => new Response("another route"));
    expect(await search(router, basePath)).toBe(emptyList);
    for (const path of [
      "/aab/(x)/:id/c.d/*/$1",
      "/a+b/(x)/7/c.d/*/$1",
      "/a+b/(x)/:id/c-d/*/$1",
      "/a+b/(x)/:id/c.d/x/$1",
    ]) {
      expect(await search(router, path)).toBe("another route");
    }
  });

  it("is handed what a finally handler changes", async () => {
    const router = Router({ finally: [(response: Response) => response.headers.set("x-host", "here")] });
    mountAdminRoutes(router, { store: memoryStore(), authenticate: byToken });
    const { headers, text } = await sendTo(router.fetch)(requestOf({ request: { headers: { token } } }));
    expect([headers.get("x-host"), text]).toEqual(["here", notFound("group g1")]);
  });

  it("lets an observer finish after the answer, where the runtime offers it", async () => {
    const kept: Promise<unknown>[] = [];
    const report = deferred();
    const observer = { onCall: () => report.promise };
    const router = mountAdminRoutes(AutoRouter(), { store: memoryStore(), authenticate: byToken, observer });
    const context = { waitUntil: (promise: Promise<unknown>) => void kept.push(promise) };
    const isOver = vi.fn();
    await router.fetch(new Request("http://localhost/group/get_group_member_list", { method: "POST" }), {}, context);
    const ended = Promise.all(kept).then(isOver);
    expect(kept).not.toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).not.toHaveBeenCalled();
    report.fulfil();
    await ended;
  });
});
