import { conversationsSetting } from "../../../src/operations/setConversations.js";
import { paths } from "../paths.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Place } from "../route.js";
import { operationRoutes, place } from "../routes.js";
import { Beside, type Taken } from "./beside.js";
import { Upstream, type UpstreamOptions } from "./upstream.js";

/**
 * Gives the option `upstream` what it does. Only a Worker has to pass it, as `upstream: { url, relay }`: Workers without an
 * upstream are smaller so.
 *
 * @throws TypeError for an option that is unknown or does not fit
 */
export function relay(given: UpstreamOptions, options: ResolvedOptions): Place[] {
  requireNotBeside(options);
  const { basePath } = options;
  const beside = new Beside(options, new Upstream(given));
  const taken: Taken[] = operationRoutes(basePath).map((route) => ({
    path: route.path.slice(basePath.length),
    operation: route.operation,
    needsToken: true,
    // No list reads conversations: setting them is the upstream's alone, as giving tokens is.
    ...(route.operation !== conversationsSetting.name && { list: route }),
  }));
  taken.push({ path: paths.getAdminToken, operation: "getAdminToken", needsToken: false });
  return taken.map((path) => place(basePath + path.path, (request, ...more) => beside.answer(request, path, ...more)));
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
