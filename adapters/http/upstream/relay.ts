import { conversationsSetting } from "../../../src/operations/setConversations.js";
import { paths } from "../paths.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Place } from "../route.js";
import { operationRoutes, place } from "../routes.js";

import { Upstream, type UpstreamOptions } from "./upstream.js";
import { type UpstreamPath, UpstreamPaths } from "./upstreamPaths.js";

/**
 * Gives the option `upstream` what it does. Only a Worker has to pass it, as `upstream: { url, relay }`: Workers without an
 * upstream are smaller so.
 *
 * @throws TypeError for an option that is unknown or does not fit
 */
export function relay(given: UpstreamOptions, options: ResolvedOptions): Place[] {
  requireNotBeside(options);
  const { basePath } = options;
  const answering = new UpstreamPaths(options, new Upstream(given));
  const taken: UpstreamPath[] = operationRoutes(basePath).map((route) => ({
    path: route.path.slice(basePath.length),
    operation: route.operation,
    needsToken: true,
    // Only the upstream sets conversations, which no list reads, and only it gives tokens.
    ...(route.operation !== conversationsSetting.name && { list: route }),
  }));
  taken.push({ path: paths.getAdminToken, operation: "getAdminToken", needsToken: false });
  return taken.map((at) => place(basePath + at.path, (request, ...more) => answering.answer(request, at, ...more)));
}

function requireNotBeside({ adminToken, historyOf }: ResolvedOptions): void {
  if (adminToken !== undefined) {
    throw new TypeError(
      "adminToken must be left out beside an upstream, which accepts only tokens that it gave out itself",
    );
  }
  if (historyOf !== undefined) {
    throw new TypeError("history must be left out beside an upstream, which writes the conversations");
  }
}
