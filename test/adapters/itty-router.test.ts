import { AutoRouter, error, IttyRouter, Router } from "itty-router";
import { describe, expect, it } from "vitest";
import { fixedTokenAuthenticator } from "../../adapters/auth.js";
import { mountAdminRoutes } from "../../adapters/itty-router.js";
import { memoryStore } from "../helpers/stores.js";

const authenticate = fixedTokenAuthenticator([{ token: "known", adminUserID: "imAdmin" }]);
const headers = { operationID: "op", token: "known" };
const body = '{"pagination":{"pageNumber":1,"showNumber":1}}';
const emptyList = '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"notificationAccounts":[]}}';
const search = (path: string) => new Request(`http://localhost${path}`, { method: "POST", headers, body });

/** What a host application answers to its own requests. */
async function hostAnswers(mount: boolean) {
  const log: string[] = [];
  const router = AutoRouter({
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
  it("leaves the routes, handlers and errors of the host application as they are", async () => {
    const [withUs, without] = [await hostAnswers(true), await hostAnswers(false)];
    expect(withUs).toEqual(without);
    expect(withUs.answers).toContainEqual(["/hello/Ann", 200, '"Hello Ann"']);
    expect(withUs.answers.map(([, status]) => status)).toEqual([200, 418, 200, 404, 404, 404]);
  });

  it.each([
    ["IttyRouter", IttyRouter({ base: "/api" })],
    ["Router", Router({ base: "/api" })],
    ["AutoRouter", AutoRouter({ base: "/api" })],
  ])("registers on %s with a base, and gives the router back", async (_name, router) => {
    expect(mountAdminRoutes(router, { store: memoryStore(), authenticate, basePath: "/admin" })).toBe(router);
    const response: Response = await router.fetch(search("/api/admin/user/search_notification_account"));
    expect(await response.text()).toBe(emptyList);
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
