import { reported } from "../../src/call.js";
import { success } from "../../src/envelope.js";
import { json } from "./answer.js";
import type { DescribeInterface, ObserverOfRequest } from "./handlerOptions.js";
import type { HttpAnswer } from "./request.js";
import type { ResolvedOptions } from "./resolveOptions.js";

/** The methods that get the description. */
export const documentMethods = ["GET", "HEAD"];

/** The path and the answer of the description of the interface. */
export interface DocumentRoute {
  path: string;
  /** Answers with the description, which it makes at the first request. */
  document(...request: Parameters<ObserverOfRequest>): Promise<HttpAnswer>;
}

export function documentRoute(
  describe: DescribeInterface,
  { basePath, limits, adminToken, observerOf }: ResolvedOptions,
  upstream: boolean,
): DocumentRoute {
  let text: string | undefined;
  return {
    path: `${basePath}/openapi.json`,
    async document(...request) {
      const observer = observerOf(...request);
      const envelope = await reported("openApiDocument", { observer }, async () => {
        text ??= JSON.stringify(await describe({ basePath, limits, adminToken: !!adminToken, upstream }));
        return success(null);
      });
      return text === undefined ? json(500, JSON.stringify(envelope)) : json(200, text);
    },
  };
}
