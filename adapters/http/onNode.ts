import type { FetchHandlerOptions } from "./handlerOptions.js";
import { relay } from "./upstream/relay.js";

/**
 * Hands in what the options ask for: `openApiDocument`, which is loaded at the first request, and `relay`. Only the modules for
 * Node, Bun and Deno do this: bundlers for other runtimes would include both in every program.
 */
export function onNode<Options extends Pick<FetchHandlerOptions, "openApi" | "upstream">>(options: Options): Options {
  const { openApi, upstream } = options ?? {};
  if (openApi !== true && upstream === undefined) return options;
  return {
    ...options,
    ...(openApi === true && { openApi: describe }),
    ...(isObject(upstream) && { upstream: { relay, ...upstream } }),
  };
}

const describe: FetchHandlerOptions["openApi"] = async (description) =>
  (await import("../openapi/index.js")).openApiDocument(description);

/** In JavaScript it may be anything, which is refused later. */
function isObject(upstream: unknown): upstream is object {
  return typeof upstream === "object" && upstream !== null;
}
