import { createFetchHandler as createHandler, type FetchHandler } from "./fetch.js";
import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { onNode } from "./http/onNode.js";

export { names } from "./http/names.js";
export { relay } from "./http/upstream/relay.js";

/** `im-admin/fetch` on Node, Bun and Deno. */
export function createFetchHandler<Environment, Context>(
  options: FetchHandlerOptions<Environment, Context>,
): FetchHandler<Environment, Context> {
  return createHandler(onNode(options));
}
