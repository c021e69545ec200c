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
  const servers = [{ url: rootFrom(basePath), description: "Where this document comes from." }];
  return {
    path: `${basePath}/openapi.json`,
    methods: ["GET", "HEAD"],
    async answer(...request) {
      const observer = observerOf(...request);
      const envelope = await reported("openApiDocument", { observer }, async () => {
        const parts = { adminToken: !!(adminToken ?? upstream), names: !!names && !upstream, upstream: !!upstream };
        text ??= JSON.stringify(await describe({ basePath, limits, servers, ...parts }));
        return success(null);
      });
      return text === undefined ? json(500, JSON.stringify(envelope)) : json(200, text);
    },
  };
}

/** The folder of the paths in the document, from that of the document: a proxy may have put both below a prefix. */
function rootFrom(basePath: string): string {
  const [, ...segments] = basePath.split("/");
  return segments.map(() => "..").join("/") || ".";
}
