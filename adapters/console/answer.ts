import { requireKnown } from "../../src/knownOptions.js";
import { isPath, normalizePath, resolveBasePath, withoutEndSlashes } from "../http/path.js";
import type { AdminRequest, HttpAnswer } from "../http/request.js";
import { gzipped, takesGzip } from "./gzip.js";
import { html, scriptHash, styleHash, version } from "./page.js";

/** The paths of the console and of the API, and a label. */
export interface ConsoleHandlerOptions {
  /**
   * The path of the page, such as `/console`. Other paths are answered with 404.
   * @default undefined, for the page at every path
   */
  basePath?: string | undefined;
  /**
   * Where you have mounted the six functions: a path of the same origin such as `/admin`, `.` for the folder of the page,
   * wherever a proxy has put it, or a URL such as `https://im.example.org/admin`. The server of a URL must allow the origin
   * of the page (`cors`).
   * @default "", for the root of the same origin
   */
  api?: string | undefined;
  /**
   * A label that distinguishes this console from others, such as `prod`. The page always shows it, also in its title.
   * @default "", for none
   */
  title?: string | undefined;
  /**
   * Whether the API answers `POST /auth/get_admin_token`: im-admin's with `adminToken`, or an OpenIM server upstream. The
   * page then asks for a user ID and the secret, and gets the token itself.
   * @default false
   */
  adminToken?: boolean | undefined;
}

/**
 * Answers requests for the page, as plain data.
 *
 * @throws TypeError for an unknown or wrong option
 */
export function createConsole(
  name: string,
  options: ConsoleHandlerOptions,
): (request: AdminRequest) => Promise<HttpAnswer> {
  requireKnown(name, options, ["basePath", "api", "title", "adminToken"]);
  const { basePath, api = "", title = "", adminToken = false } = options;
  if (typeof title !== "string") throw new TypeError("title must be a string");
  if (typeof adminToken !== "boolean") throw new TypeError("adminToken must be true or false");
  const path = basePath === undefined ? undefined : resolveBasePath(basePath);
  const { address, origin } = resolveApi(api);
  const settings = { api: address, title, "admin-token": adminToken ? "on" : "" };
  const body = Object.entries(settings).reduce(withSetting, html);
  const tag = [version, ...Object.values(settings).map((value) => encodeURIComponent(value.toWellFormed()))].join("-");
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const common = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy(origin),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    vary: "accept-encoding",
  };

  return async (request) => {
    if (path !== undefined && withoutEndSlashes(request.path) !== path) return plain(404, "There is no page here.");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return plain(405, "The console is a page: GET it.", { allow: "GET, HEAD" });
    }
    const isCompressed = takesGzip(request.header("accept-encoding"));
    const etag = `"${tag}${isCompressed ? "-gzip" : ""}"`;
    const headers = { ...common, etag, ...(isCompressed && { "content-encoding": "gzip" }) };
    const isKnown = request.header("if-none-match")?.includes(etag);
    if (isKnown) return { status: 304, headers: { ...common, etag }, body: null };
    if (request.method === "HEAD") return { status: 200, headers, body: null };
    if (!isCompressed) return { status: 200, headers, body };
    compressed ??= gzipped(body);
    return { status: 200, headers, body: await compressed };
  };
}

/** The page with a setting, which it reads from an element. */
function withSetting(page: string, [name, value]: [name: string, value: string]): string {
  const text = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const element = (content: string) => `name="im-admin-${name}" content="${content}"`;
  return page.replace(element(""), () => element(text));
}

/** Allows only the page's own script and style, and requests to the API. */
function policy(apiOrigin: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    // The icon of the page.
    "img-src data:",
    `connect-src ${apiOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

/** The address before the paths of the operations, safe in an attribute, and its source for the policy. */
function resolveApi(api: string): { address: string; origin: string } {
  const refusal = `api must be a path such as "/admin" or a URL such as "https://im.example.org/admin"`;
  if (typeof api !== "string") throw new TypeError(refusal);
  if (api === ".") return { address: api, origin: "'self'" };
  if (api === "" || (/^\/(?!\/)/.test(api) && isPath(api))) return { address: normalizePath(api), origin: "'self'" };
  const url = URL.canParse(api) ? new URL(api) : undefined;
  const fits = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (!fits) throw new TypeError(`${refusal}, and not ${JSON.stringify(api)}`);
  return { address: url.origin + normalizePath(url.pathname), origin: url.origin };
}
