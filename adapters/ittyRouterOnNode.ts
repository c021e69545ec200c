import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { onNode } from "./http/onNode.js";
import { type AdminRouter, mountAdminRoutes as mount } from "./itty-router.js";

/** `im-admin/itty-router` on Node, Bun and Deno. */
export function mountAdminRoutes<Router extends AdminRouter, Environment, Context>(
  router: Router,
  options: FetchHandlerOptions<Environment, Context>,
): Router {
  return mount(router, onNode(options));
}
