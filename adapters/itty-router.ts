import { answerRequest } from "./http/fetchRequest.js";
import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { createService } from "./http/service.js";

export type * from "./http/optionTypes.js";

/** The part of a router that is needed. `IttyRouter`, `Router` and `AutoRouter` of itty-router v5 and v6 fit. */
export interface AdminRouter {
  all(path: string, handler: (request: Request, environment?: unknown, context?: unknown) => unknown): unknown;
}

/**
 * Registers the operations on a router, which keeps its other routes, its `before` and `finally` handlers and its own
 * error handling. The router's `base` comes before `basePath`. Its handlers must not read the body before. If `store`
 * is a function, it gets the further arguments of the router's `fetch`.
 *
 * @throws TypeError for a missing or wrong option
 */
export function mountAdminRoutes<Router extends AdminRouter, Environment = unknown, Context = unknown>(
  router: Router,
  options: FetchHandlerOptions<Environment, Context>,
): Router {
  const service = createService("mountAdminRoutes", options);
  for (const path of service.paths) {
    router.all(literal(path), (given, environment, context) =>
      answerRequest(given, (request) => service.answer(path, request, environment, context), bodyOf),
    );
  }
  return router;
}

/** The body. AutoRouter of v6 passes a proxy of the request, which throws if a property of the request is null. */
function bodyOf(request: Request): Request["body"] {
  try {
    return request.body;
  } catch {
    return null;
  }
}

/** A path as a pattern of the router: it escapes the characters with a meaning in patterns. */
function literal(path: string): string {
  return path.replace(/[^\w/%-]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
