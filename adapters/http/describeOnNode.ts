import type { FetchHandlerOptions } from "./handlerOptions.js";

/**
 * Lets `openApi: true` stand for `openApiDocument`, which is loaded when it is first asked for. Only what runs on Node,
 * Bun and Deno does so: bundlers for other runtimes would take it into every program, whether it is on or off.
 */
export function describeOnNode<Options extends Pick<FetchHandlerOptions, "openApi">>(options: Options): Options {
  if (options?.openApi !== true) return options;
  return {
    ...options,
    openApi: async (description) => (await import("../openapi/index.js")).openApiDocument(description),
  } satisfies Pick<FetchHandlerOptions, "openApi"> as Options;
}
