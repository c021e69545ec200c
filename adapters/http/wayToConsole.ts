import { failure } from "../../src/envelope.js";
import { argsError } from "../../src/errors.js";
import { json } from "./answer.js";
import type { HttpAnswer, HttpRequest } from "./request.js";

const needed = "im-admin serve --console, or createConsoleHandler of im-admin/console";

/**
 * Leads a browser that asks for the root to the console, or says what would serve one; undefined for other requests.
 *
 * @param page the path of the console, if there is one
 */
export function wayToConsole(request: HttpRequest, basePath: string, page: string | undefined): HttpAnswer | undefined {
  const { method, path } = request;
  if ((method !== "GET" && method !== "HEAD") || !isRoot(path, basePath)) return undefined;
  if (!request.header("accept")?.includes("text/html")) return undefined;
  const headers = { vary: "accept", "cache-control": "no-store" };
  if (page === undefined) {
    const what = `path must be that of an operation, and no console is served here: that takes ${needed}`;
    return json(404, JSON.stringify(failure(argsError(what))), headers);
  }
  // From the path that was asked for, since a proxy in front may have taken a prefix from it.
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return { status: 302, headers: { location: page.slice(folder.length), ...headers }, body: null };
}

function isRoot(path: string, basePath: string): boolean {
  return path === "/" || (basePath !== "" && (path === basePath || path === `${basePath}/`));
}
