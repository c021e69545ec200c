import { createFetchHandler as createHandler, type FetchHandler } from "./fetch.js";
import { describeOnNode } from "./http/describeOnNode.js";
import type { FetchHandlerOptions } from "./http/handlerOptions.js";

/** `im-admin/fetch` on Node, Bun and Deno. */
export function createFetchHandler<Environment, Context>(
  options: FetchHandlerOptions<Environment, Context>,
): FetchHandler<Environment, Context> {
  return createHandler(describeOnNode(options));
}
