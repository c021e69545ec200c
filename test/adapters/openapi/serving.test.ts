import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AutoRouter } from "itty-router";
import { Miniflare } from "miniflare";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import { mountAdminRoutes } from "../../../adapters/itty-router.js";
import { createNodeListener } from "../../../adapters/node.js";
import { type OpenApiOptions, openApiDocument } from "../../../adapters/openapi/index.js";
import { listening, served } from "../../helpers/http/hosts.js";
import { texts } from "../../helpers/http/request.js";
import { sendOverHttp } from "../../helpers/http/send.js";
import { memoryStore } from "../../helpers/stores.js";
import { bundleWorker } from "../../helpers/workerd.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const authenticate = () => ({ failure: "TokenNotExistError" as const });
/** Options with their own store. */
function options(more: Partial<FetchHandlerOptions> = {}): FetchHandlerOptions {
  return { store: memoryStore(), authenticate, ...more };
}

/** Asks a handler in the process for the document. */
async function ask(more: Partial<FetchHandlerOptions>, path = "/openapi.json", init?: RequestInit) {
  const response = await createFetchHandler(options(more))(new Request(`http://localhost${path}`, init));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The document as a server answers it: its own address is given from the place of the document. */
function servedDocument(described: OpenApiOptions = {}, url = ".") {
  const servers = [{ url, description: "Where this document comes from." }];
  return JSON.parse(JSON.stringify(openApiDocument({ ...described, servers })));
}

describe("a handler that is given openApiDocument", () => {
  it("answers the document without a token", async () => {
    const { status, headers, body } = await ask({ openApi: openApiDocument });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual(servedDocument());
  });

  it("describes itself: its base path, its limits, and whether it gives out tokens", async () => {
    const limits = { showNumber: 7 };
    const adminToken = { secret: "a secret of this test", adminUserIDs: ["imAdmin"] };
    const more = { openApi: openApiDocument, basePath: "admin", limits, adminToken };
    const expected = servedDocument({ basePath: "/admin", limits, adminToken: true }, "..");
    expect((await ask(more, "/admin/openapi.json")).body).toEqual(expected);
    expect(await ask(more)).toMatchObject({ status: 404, body: JSON.parse(texts.unknownPath) });
  });

  it("lets pages of other origins read it where they may call", async () => {
    const headers = { origin: "https://console.example.org" };
    const any = await ask({ openApi: openApiDocument, cors: true }, "/openapi.json", { headers });
    expect(any.headers.get("access-control-allow-origin")).toBe("*");
    const none = await ask({ openApi: openApiDocument }, "/openapi.json", { headers });
    expect(none.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("takes GET and HEAD only", async () => {
    const { status, headers, body } = await ask({ openApi: openApiDocument }, "/openapi.json", { method: "POST" });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD");
    expect(body).toEqual({ errCode: 1001, errMsg: "ArgsError", errDlt: "1001 ArgsError: method must be GET or HEAD" });
  });

  it("answers HEAD with the head that GET has", async () => {
    const { url } = await served();
    const [head, get] = await Promise.all(["HEAD", "GET"].map((method) => fetch(`${url}/openapi.json`, { method })));
    const length = String(Buffer.byteLength((await get?.text()) ?? ""));
    expect(await head?.text()).toBe("");
    for (const answer of [head, get]) {
      expect([answer?.status, answer?.headers.get("content-length")]).toEqual([200, length]);
    }
  });

  it("makes it once, and reports who asks", async () => {
    const describing = vi.fn(openApiDocument);
    const onCall = vi.fn();
    const handler = createFetchHandler(options({ openApi: describing, observer: { onCall } }));
    expect(describing).not.toHaveBeenCalled();
    for (let request = 0; request < 3; request++) await handler(new Request("http://localhost/openapi.json"));
    expect(describing).toHaveBeenCalledTimes(1);
    expect(onCall).toHaveBeenCalledTimes(3);
    expect(onCall).toHaveBeenLastCalledWith(
      expect.objectContaining({ operation: "openApiDocument", operationID: "", errCode: 0 }),
    );
  });

  it("answers 500 and reports why, where the function of a host fails", async () => {
    const onError = vi.fn();
    const cause = new Error("of the host");
    const openApi = () => Promise.reject(cause);
    const { status, body } = await ask({ openApi, observer: { onError } });
    expect(status).toBe(500);
    expect(body).toEqual({ errCode: 500, errMsg: "ServerInternalError", errDlt: "500 ServerInternalError" });
    expect(onError).toHaveBeenCalledWith({ operation: "openApiDocument", operationID: "", error: cause });
  });
});

it.each([undefined, false])("is off with openApi: %s", async (openApi) => {
  expect(await ask({ openApi })).toMatchObject({ status: 404, body: JSON.parse(texts.unknownPath) });
});

it.each([true, "yes"])("refuses openApi: %j where a bundler would have to guess", (openApi) => {
  expect(() => createFetchHandler(options({ openApi: openApi as never }))).toThrow(
    new TypeError("openApi must be openApiDocument"),
  );
});

it.each([
  ["fetch", "createFetchHandler(options)"],
  ["itty-router", "mountAdminRoutes(AutoRouter(), options).fetch"],
])("is found with openApi: true by im-admin/%s on Node", (subpath, handler) => {
  const program = `
    import { AutoRouter } from "itty-router";
    import { ${handler.split("(")[0]} } from "im-admin/${subpath}";
    const store = () => { throw new Error("nobody asks for it") };
    const options = { store, authenticate() {}, openApi: true, basePath: "/admin" };
    const handler = ${handler};
    const response = await handler(new Request("http://localhost/admin/openapi.json"));
    console.log(response.status, (await response.json()).openapi);`;
  const args = ["--input-type=module", "--eval", program];
  expect(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })).toBe("200 3.1.0\n");
});

it("is a route of a router beside those of its application", async () => {
  const router = AutoRouter().get("/", () => ({ service: "chat" }));
  mountAdminRoutes(router, options({ openApi: openApiDocument, basePath: "/admin" }));
  const response = await router.fetch(new Request("http://localhost/admin/openapi.json"));
  expect(await response.json()).toMatchObject({ openapi: "3.1.0" });
  expect(await (await router.fetch(new Request("http://localhost/"))).json()).toEqual({ service: "chat" });
});

it("is on in serve, unless it is turned off", async () => {
  const { url } = await served();
  const response = await fetch(`${url}/openapi.json`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(servedDocument({ names: true }));
  const without = await served({ openApi: false });
  expect((await fetch(`${without.url}/openapi.json`)).status).toBe(404);
});

it.each([
  [true, 200],
  [undefined, 404],
])("with openApi: %s, createNodeListener answers %i", async (openApi, status) => {
  const port = await listening(createNodeListener({ store: memoryStore(), authenticate, openApi }));
  const answer = await sendOverHttp(port, { method: "GET", path: "/openapi.json", headers: {} });
  expect(answer.status).toBe(status);
});

it.each(["", "/admin", "/chat/admin"])(
  "names the server where it is, with base path '%s', also behind a proxy that strips a prefix",
  async (basePath) => {
    const listener = createNodeListener({ store: memoryStore(), authenticate, openApi: true, basePath });
    for (const prefix of ["", "/im", "/team/im"]) {
      const port = await listening((request, response) => {
        request.url = request.url?.slice(prefix.length) ?? "";
        listener(request, response);
      });
      const address = `http://127.0.0.1:${port}${prefix}${basePath}/openapi.json`;
      const { servers, paths } = await (await fetch(address)).json();
      // As the specification says: the server's URL from that of the document, and the path behind it.
      const server = new URL(servers[0].url, address).href.replace(/\/$/, "");
      const [path] = Object.keys(paths);
      const answer = await fetch(server + path, { method: "POST", headers: { operationID: "1", token: "t" } });
      expect(await answer.json(), server).toMatchObject({ errMsg: "TokenNotExistError" });
    }
  },
);

describe("a Worker", () => {
  it("answers the document where it is given openApiDocument", async () => {
    const { code } = await bundleWorker(
      `import { createFetchHandler } from "im-admin/fetch";
       import { type OpenApiOptions, openApiDocument } from "im-admin/openapi";
       const store = () => { throw new Error("nobody asks for it") };
       export default { fetch: createFetchHandler({ store, authenticate() {}, openApi: openApiDocument }) };`,
      { minify: true },
    );
    const miniflare = new Miniflare({ modules: true, script: code, compatibilityDate: "2026-04-01" });
    onTestFinished(() => miniflare.dispose());
    const response = await fetch(new URL("/openapi.json", await miniflare.ready));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(servedDocument());
  });

  it("carries nothing of it where it is off", async () => {
    const { code } = await bundleWorker('export { createFetchHandler } from "im-admin/fetch"', { minify: true });
    expect(code).not.toContain("3.1.0");
    expect(code).not.toContain("import(");
  });
});
