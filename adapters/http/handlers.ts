import { failure } from "../../src/envelope.js";
import { answer, argsError, type RequestContext, respond } from "./answer.js";
import { type FetchHandlerOptions, type ResolvedOptions, resolveOptions } from "./handlerOptions.js";
import { pathOf } from "./path.js";
import { type Platform, standardPlatform } from "./platform.js";
import type { Route } from "./route.js";
import { createRoutes } from "./routes.js";

/**
 * Answers a request; it never rejects. The second and third argument are those that Workers pass, so that it may stand
 * as `export default { fetch }`; of them, only `waitUntil` is used, for the observer.
 */
export type FetchHandler = (request: Request, environment?: unknown, context?: RequestContext) => Promise<Response>;

/** All of HTTP: a handler for each path, and one for all others. */
export interface Handlers {
  byPath: ReadonlyMap<string, FetchHandler>;
  notFound: FetchHandler;
}

/** @throws TypeError for an option that is missing or does not fit */
export function createHandlers(options: FetchHandlerOptions, platform = standardPlatform): Handlers {
  const resolved = resolveOptions(options, platform);
  const finished = (handler: FetchHandler) =>
    resolved.cors === undefined ? handler : withCors(handler, resolved.cors, platform);
  const byPath = new Map<string, FetchHandler>();
  for (const [path, route] of createRoutes(resolved)) byPath.set(path, finished(routeHandler(route, resolved)));
  const notFound = async () => respond(platform, 404, failure(argsError("path must be that of an operation")));
  return { byPath, notFound: finished(notFound) };
}

/** The handler of the request's path. */
export function toFetchHandler({ byPath, notFound }: Handlers): FetchHandler {
  return (request, ...context) => (byPath.get(pathOf(request)) ?? notFound)(request, ...context);
}

function routeHandler(route: Route, options: ResolvedOptions): FetchHandler {
  return async (request, _environment, context) => {
    if (request.method === "POST") return answer(request, route, options, context);
    return respond(options.platform, 405, failure(argsError("method must be POST")), { allow: "POST" });
  };
}

/** How long a browser remembers what it may call, in seconds. */
const preflightSeconds = "86400";

function withCors(handler: FetchHandler, origins: true | readonly string[], { Response }: Platform): FetchHandler {
  const isAny = origins === true || origins.includes("*");

  function allowed(origin: string | null): string | undefined {
    if (isAny) return "*";
    return origin !== null && origins.includes(origin) ? origin : undefined;
  }

  function preflight({ headers }: Request): Response {
    const response = new Response(null, { status: 204 });
    response.headers.set("access-control-allow-methods", "POST");
    response.headers.set("access-control-max-age", preflightSeconds);
    const asked = headers.get("access-control-request-headers");
    if (asked !== null) response.headers.set("access-control-allow-headers", asked);
    return response;
  }

  return async (request, ...context) => {
    const response = request.method === "OPTIONS" ? preflight(request) : await handler(request, ...context);
    const origin = allowed(request.headers.get("origin"));
    if (origin !== undefined) response.headers.set("access-control-allow-origin", origin);
    if (!isAny) response.headers.append("vary", "origin");
    return response;
  };
}
