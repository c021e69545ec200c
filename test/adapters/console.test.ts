import { createHash } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { deferred } from "../helpers/deferred.js";
import { startWorker } from "../helpers/workerd.js";

/** The built one: the page is made when the package is built. */
const built = new URL("../../dist/adapters/console.js", import.meta.url).href;
const { createConsoleHandler }: typeof import("../../adapters/console.js") = await import(built);

const get = (path: string, headers: Record<string, string> = {}) => new Request(`http://host${path}`, { headers });

/** The directives of the page's policy. */
function policyOf(response: Response): Map<string, string> {
  const directives = response.headers.get("content-security-policy")?.split("; ") ?? [];
  return new Map(directives.map((directive) => [directive.split(" ", 1)[0] ?? "", directive.replace(/^\S+ /, "")]));
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

it("serves one page with a policy that allows its own script and style, and nothing else", async () => {
  const response = await createConsoleHandler()(get("/"));
  const html = await response.text();
  const scripts = [...html.matchAll(/<script type="module">(.*?)<\/script>/gs)].map(([, text = ""]) => text);
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = ""]) => text);
  expect([response.status, scripts.length, styles.length]).toEqual([200, 1, 1]);
  expect(Object.fromEntries(policyOf(response))).toEqual({
    "default-src": "'none'",
    "script-src": hashOf(scripts[0] ?? ""),
    "style-src": hashOf(styles[0] ?? ""),
    "img-src": "data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
  });
});

it.each([
  ["gzip, deflate, br", true],
  ["br;q=1.0, GZIP;q=0.5", true],
  ["gzip;q=0, identity", false],
  ["gzip; q=0.0", false],
  ["br", false],
  ["identity", false],
])("sends the page compressed where a client takes that: %s", async (encodings, isCompressed) => {
  const handler = createConsoleHandler({ title: "prod" });
  const plain = await (await handler(get("/"))).text();
  for (const _ of ["the first time", "again"]) {
    const response = await handler(get("/", { "accept-encoding": encodings }));
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect(response.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length < 70_000).toBe(isCompressed);
    expect((isCompressed ? gunzipSync(bytes) : bytes).toString()).toBe(plain);
  }
});

it("is compressed once by a Worker, which would compress it again", async () => {
  const main = `
    import { createConsoleHandler } from "./dist/adapters/console.js";
    const handler = createConsoleHandler();
    export default { fetch: (request) => handler(request) };`;
  const worker = await startWorker(main);
  onTestFinished(() => worker.stop());
  const headers = { "accept-encoding": "gzip" };
  const { statusCode, bytes } = await sent(worker.port, headers);
  expect(statusCode).toBe(200);
  expect(gunzipSync(bytes).toString()).toBe(await (await createConsoleHandler()(get("/"))).text());
});

/** What comes for a request, as it comes. */
async function sent(port: number, headers: Record<string, string>) {
  const answered = deferred<IncomingMessage>();
  request({ port, headers }, (response) => answered.fulfil(response)).end();
  const response = await answered.promise;
  return { statusCode: response.statusCode, bytes: Buffer.concat(await response.toArray()) };
}

it("has a tag for each of its two forms, so that no cache takes one for the other", async () => {
  const handler = createConsoleHandler();
  const plain = (await handler(get("/"))).headers.get("etag") ?? "";
  const compressed = await handler(get("/", { "accept-encoding": "gzip" }));
  const tag = compressed.headers.get("etag") ?? "";
  expect(tag).not.toBe(plain);
  const known = (known: string) => get("/", { "accept-encoding": "gzip", "if-none-match": known });
  expect((await handler(known(tag))).status).toBe(304);
  expect((await handler(known(plain))).status).toBe(200);
});

it.each([
  ["prod", 'content="prod"'],
  ['<b>"&', 'content="&lt;b>&quot;&amp;"'],
  ["$&$1", 'content="$&amp;$1"'],
  ["\ud800 生产", 'content="\ufffd 生产"'],
])("has its label in it: %j", async (title, content) => {
  const response = await createConsoleHandler({ title })(get("/"));
  expect(await response.text()).toContain(`<meta name="im-admin-title" ${content}`);
});

it.each([
  [{}, ""],
  [{ adminToken: false }, ""],
  [{ adminToken: true }, "on"],
])("tells the page whether the API gives tokens: %j", async (options, content) => {
  const response = await createConsoleHandler(options)(get("/"));
  expect(await response.text()).toContain(`<meta name="im-admin-admin-token" content="${content}"`);
});

it("names no other file or server in the page, and its script takes at most 55 KB on the way, without the Chinese texts", async () => {
  const html = await (await createConsoleHandler()(get("/"))).text();
  const loaded = html.match(/\b(?:src|href)="[^"]*"|url\([^)]*\)|@import[^;]*/g) ?? [];
  expect(loaded.filter((address) => !address.includes("data:"))).toEqual([]);
  const [, script = ""] = /<script[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  expect(script.length).toBeGreaterThan(50_000);
  expect(gzipSync(script).length).toBeLessThanOrEqual(55_000);
  // They stand in the page as data, which is read where it is needed.
  expect(script).not.toContain("您想查看什么");
  expect(html).toMatch(/<script type="application\/json" id="chinese">\{[^<]*您想查看什么[^<]*\}<\/script>/);
});

it.each([
  [undefined, "/", 200],
  [undefined, "/whatever/path", 200],
  ["/console", "/console", 200],
  ["/console", "/console/", 200],
  ["console/", "/console", 200],
  ["/console", "/", 404],
  ["/console", "/console/else", 404],
  ["/console", "/consoles", 404],
  ["", "/", 200],
  ["", "/else", 404],
])("with the basePath %s answers %s with %i", async (basePath, path, status) => {
  const response = await createConsoleHandler({ basePath })(get(path));
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain(status === 200 ? "text/html" : "text/plain");
});

it("answers 405 to what is no GET, and HEAD without the page", async () => {
  const handler = createConsoleHandler();
  const post = await handler(new Request("http://host/", { method: "POST", body: "{}" }));
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const head = await handler(new Request("http://host/", { method: "HEAD" }));
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-security-policy")).toContain("default-src 'none'");
});

it("sends the page again only when it is another one", async () => {
  const handler = createConsoleHandler();
  const tag = (await handler(get("/"))).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f]{16}---"$/);
  for (const known of [tag, `"other", W/${tag}`]) {
    const response = await handler(get("/", { "if-none-match": known }));
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", tag]);
  }
  expect((await handler(get("/", { "if-none-match": '"other"' }))).status).toBe(200);
  for (const options of [{ api: "/admin" }, { title: "prod" }, { adminToken: true }]) {
    const another = createConsoleHandler(options);
    expect((await another(get("/", { "if-none-match": tag }))).status).toBe(200);
  }
});

it.each([
  ["/admin/", 'content="/admin"', "'self'"],
  ['/a"><script>&quot;', 'content="/a%22%3E%3Cscript%3E&amp;quot;"', "'self'"],
  ["https://im.example.org", 'content="https://im.example.org"', "https://im.example.org"],
  ["https://im.example.org:8443/x/", 'content="https://im.example.org:8443/x"', "https://im.example.org:8443"],
])("talks to the API at %s and to no other", async (api, content, origin) => {
  const response = await createConsoleHandler({ api })(get("/"));
  expect(await response.text()).toContain(`<meta name="im-admin-api" ${content}`);
  expect(policyOf(response).get("connect-src")).toBe(origin);
});

const noAddress = 'api must be a path such as "/admin" or a URL such as "https://im.example.org/admin"';
const wrongAddresses = ["admin", "//h", "ftp://h", "https://u:p@h", "https://h/?q", "/a?b", "/a/../b", 7, null];

it.each<[object, string]>([
  ...wrongAddresses.map((api): [object, string] => [{ api }, noAddress]),
  [{ path: "/console" }, 'createConsoleHandler does not know "path"; it takes basePath, api, title, adminToken'],
  [{ title: 7 }, "title must be a string"],
  [{ adminToken: "yes" }, "adminToken must be true or false"],
  [{ basePath: 7 }, "basePath must be a string"],
  [{ basePath: null }, "basePath must be a string"],
  [{ basePath: "/../console" }, 'basePath must be a path such as "/admin", and not "/../console"'],
])("refuses the options %j", (options, message) => {
  expect(() => createConsoleHandler(options)).toThrow(message);
});

it("has no page at a path of very many slashes, and says so at once", async () => {
  const response = await createConsoleHandler({ basePath: "/console" })(get(`/console${"/".repeat(400_000)}x`));
  expect(response.status).toBe(404);
});
