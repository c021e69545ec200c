import type { FetchHandlerOptions } from "./handlerOptions.js";

/**
 * Replaces `openApi: true` by `openApiDocument`, which it loads at the first request. Only the modules for Node, Bun
 * and Deno do this: bundlers for other runtimes would include it in every program, even if it is off.
 */
export function describeOnNode<Options extends Pick<FetchHandlerOptions, "openApi">>(options: Options): Options {
  if (options?.openApi !== true) return options;
  return {
    ...options,
    openApi: async (description) => (await import("../openapi/index.js")).openApiDocument(description),
  } satisfies Pick<FetchHandlerOptions, "openApi"> as Options;
}
