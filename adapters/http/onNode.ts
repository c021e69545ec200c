import type { FetchHandlerOptions } from "./handlerOptions.js";
import { names } from "./names.js";
import { relay } from "./upstream/relay.js";

/**
 * Hands in what the options ask for: `openApiDocument`, which is loaded at the first request, `relay`, and `names`. Only the
 * modules for Node, Bun and Deno do this: bundlers for other runtimes would include them in every program.
 */
export function onNode<Options extends Pick<FetchHandlerOptions, "names" | "openApi" | "upstream">>(
  options: Options,
): Options {
  const { openApi, upstream } = options ?? {};
  return {
    names,
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
