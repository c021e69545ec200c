import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

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
  const response = createConsoleHandler()(get("/"));
  const html = await response.text();
  const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text = ""]) => text);
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

it("names no other file or server in the page, and takes less than 60 KB on the way", async () => {
  const html = await createConsoleHandler()(get("/")).text();
  const loaded = html.match(/\b(?:src|href)="[^"]*"|url\([^)]*\)|@import[^;]*/g) ?? [];
  expect(loaded.filter((address) => !address.includes("data:"))).toEqual([]);
  expect(gzipSync(html).length).toBeLessThan(60_000);
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
  const response = createConsoleHandler({ basePath })(get(path));
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain(status === 200 ? "text/html" : "text/plain");
});

it("answers 405 to what is no GET, and HEAD without the page", async () => {
  const handler = createConsoleHandler();
  const post = handler(new Request("http://host/", { method: "POST", body: "{}" }));
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const head = handler(new Request("http://host/", { method: "HEAD" }));
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-security-policy")).toContain("default-src 'none'");
});

it("sends the page again only when it is another one", async () => {
  const handler = createConsoleHandler();
  const tag = handler(get("/")).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f]{16}-"$/);
  for (const known of [tag, `"other", W/${tag}`]) {
    const response = handler(get("/", { "if-none-match": known }));
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", tag]);
  }
  expect(handler(get("/", { "if-none-match": '"other"' })).status).toBe(200);
  const elsewhere = createConsoleHandler({ api: "/admin" });
  expect(elsewhere(get("/", { "if-none-match": tag })).status).toBe(200);
});

it.each([
  ["/admin/", 'content="/admin"', "'self'"],
  ['/a"><script>&quot;', 'content="/a%22%3E%3Cscript%3E&amp;quot;"', "'self'"],
  ["https://im.example.org", 'content="https://im.example.org"', "https://im.example.org"],
  ["https://im.example.org:8443/x/", 'content="https://im.example.org:8443/x"', "https://im.example.org:8443"],
])("talks to the API at %s and to no other", async (api, content, origin) => {
  const response = createConsoleHandler({ api })(get("/"));
  expect(await response.text()).toContain(`<meta name="im-admin-api" ${content}`);
  expect(policyOf(response).get("connect-src")).toBe(origin);
});

const noAddress = 'api must be a path such as "/admin" or a URL such as "https://im.example.org/admin"';
const wrongAddresses = ["admin", "//h", "ftp://h", "https://u:p@h", "https://h/?q", "/a?b", "/a/../b", 7, null];

it.each<[object, string]>([
  ...wrongAddresses.map((api): [object, string] => [{ api }, noAddress]),
  [{ path: "/console" }, 'createConsoleHandler does not know the option "path"; it takes basePath, api'],
  [{ basePath: 7 }, "basePath must be a string"],
  [{ basePath: null }, "basePath must be a string"],
  [{ basePath: "/../console" }, 'basePath must be a path such as "/admin", and not "/../console"'],
])("refuses the options %j", (options, message) => {
  expect(() => createConsoleHandler(options)).toThrow(message);
});

it("has no page at a path of very many slashes, and says so at once", async () => {
  const response = createConsoleHandler({ basePath: "/console" })(get(`/console${"/".repeat(400_000)}x`));
  expect(response.status).toBe(404);
});
