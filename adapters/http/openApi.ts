import { reported } from "../../src/call.js";
import { success } from "../../src/envelope.js";
import { json } from "./answer.js";
import type { DescribeInterface } from "./handlerOptions.js";
import type { ResolvedOptions } from "./resolveOptions.js";
import type { Place } from "./route.js";

/** The description of the interface, which is made at the first request. */
export function documentPlace(
  describe: DescribeInterface,
  { basePath, limits, adminToken, names, upstream, observerOf }: ResolvedOptions,
): Place {
  let text: string | undefined;
  return {
    path: `${basePath}/openapi.json`,
    methods: ["GET", "HEAD"],
    async answer(...request) {
      const observer = observerOf(...request);
      const envelope = await reported("openApiDocument", { observer }, async () => {
        const parts = { adminToken: !!(adminToken ?? upstream), names: !!names && !upstream, upstream: !!upstream };
        text ??= JSON.stringify(await describe({ basePath, limits, ...parts }));
        return success(null);
      });
      return text === undefined ? json(500, JSON.stringify(envelope)) : json(200, text);
    },
  };
}
