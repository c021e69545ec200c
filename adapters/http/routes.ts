import type { Operation, OperationName } from "../../src/operation.js";
import { blackList } from "../../src/operations/getBlackList.js";
import { groupMemberList } from "../../src/operations/getGroupMemberList.js";
import { joinedGroupList } from "../../src/operations/getJoinedGroupList.js";
import { receivedGroupApplicationList } from "../../src/operations/getReceivedGroupApplicationList.js";
import { notificationAccountList } from "../../src/operations/searchNotificationAccount.js";
import { conversationsSetting } from "../../src/operations/setConversations.js";
import { countRoute, historyRoutes, recordedRoute } from "../history/routes.js";
import { adminTokenRoute } from "./adminToken.js";
import { answerCall } from "./answer.js";
import { documentPlace } from "./openApi.js";
import { decoded, withoutEndSlashes } from "./path.js";
import { paths } from "./paths.js";
import type { ResolvedOptions } from "./resolveOptions.js";
import type { Place, Route } from "./route.js";

const operations: Readonly<Record<OperationName, Operation<unknown>>> = {
  getGroupMemberList: groupMemberList,
  getBlackList: blackList,
  getJoinedGroupList: joinedGroupList,
  getReceivedGroupApplicationList: receivedGroupApplicationList,
  searchNotificationAccount: notificationAccountList,
  setConversations: conversationsSetting,
};

/** All that is answered, by its path. */
export interface Places {
  paths: readonly string[];
  /** What answers at a path, whether it ends with slashes or not. */
  at(path: string): Place | undefined;
}

export function placesOf(options: ResolvedOptions): Places {
  const { openApi, upstream } = options;
  const all = upstream === undefined ? ownPlaces(options) : upstream.relay(upstream, options);
  if (openApi !== undefined) all.push(documentPlace(openApi, options));
  // OpenIM decodes paths.
  const read = upstream === undefined ? (path: string) => path : decoded;
  const places = new Map(all.map((place) => [read(place.path), place]));
  return {
    paths: all.map(({ path }) => path),
    at: (path) => places.get(path) ?? places.get(read(withoutEndSlashes(path))),
  };
}

function ownPlaces(options: ResolvedOptions): Place[] {
  const { basePath, adminToken, historyOf, names } = options;
  const ofOperations = operationRoutes(basePath);
  const routes: Route[] = historyOf === undefined ? ofOperations : ofOperations.map(keeping);
  routes.push(countRoute(basePath));
  if (names !== undefined) routes.push(names(basePath));
  if (historyOf !== undefined) routes.push(...historyRoutes(basePath));
  if (adminToken !== undefined) routes.push(adminTokenRoute(basePath + paths.getAdminToken, adminToken));
  return routes.map((route) => place(route.path, (request, ...more) => answerCall(request, route, options, ...more)));
}

/** A path that is called by POST. */
export function place(path: string, answer: Place["answer"]): Place {
  return { path, methods: ["POST"], answer };
}

/** The routes of the six operations. */
export function operationRoutes(basePath: string): Route[] {
  return Object.values(operations).map(
    (operation): Route => ({
      path: basePath + paths[operation.name],
      operation: operation.name,
      schema: operation.schema,
      needsToken: true,
      run(input, options, _request, host, call) {
        const store = host.store();
        // Await only promises: a store may be a proxy that has any method, also "then".
        return store instanceof Promise
          ? store.then((found) => operation.runToJson(found, input, options, call))
          : operation.runToJson(store, input, options, call);
      },
    }),
  );
}

/** The route, which keeps in the history what it sets. */
function keeping(route: Route): Route {
  return route.operation === conversationsSetting.name ? recordedRoute(route) : route;
}
