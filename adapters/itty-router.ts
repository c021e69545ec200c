import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { createHandlers, type FetchHandler } from "./http/handlers.js";

export type { FetchHandlerOptions } from "./http/handlerOptions.js";

/** What is needed of a router: `IttyRouter`, `Router` and `AutoRouter` of itty-router v5 fit. */
export interface AdminRouter {
  all(path: string, handler: FetchHandler): unknown;
}

/**
 * Registers the operations on a router, which keeps its other routes, its `before` and `finally` handlers and its own
 * error handling. The router's `base` comes before `basePath`. Its handlers must not read a request's body before.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export function mountAdminRoutes<Router extends AdminRouter>(router: Router, options: FetchHandlerOptions): Router {
  for (const [path, handler] of createHandlers(options).byPath) router.all(path, handler);
  return router;
}
