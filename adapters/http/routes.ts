import type { Operation, OperationName } from "../../src/operation.js";
import { blackList } from "../../src/operations/getBlackList.js";
import { groupMemberList } from "../../src/operations/getGroupMemberList.js";
import { joinedGroupList } from "../../src/operations/getJoinedGroupList.js";
import { receivedGroupApplicationList } from "../../src/operations/getReceivedGroupApplicationList.js";
import { notificationAccountList } from "../../src/operations/searchNotificationAccount.js";
import { conversationsSetting } from "../../src/operations/setConversations.js";
import { countRoute, historyRoutes, recordedRoute } from "../history/routes.js";
import { adminTokenRoute } from "./adminToken.js";
import { type DocumentRoute, documentRoute } from "./openApi.js";
import { withoutEndSlashes } from "./path.js";
import { paths } from "./paths.js";
import type { ResolvedOptions } from "./resolveOptions.js";
import type { Route } from "./route.js";

const operations: Readonly<Record<OperationName, Operation<unknown>>> = {
  getGroupMemberList: groupMemberList,
  getBlackList: blackList,
  getJoinedGroupList: joinedGroupList,
  getReceivedGroupApplicationList: receivedGroupApplicationList,
  searchNotificationAccount: notificationAccountList,
  setConversations: conversationsSetting,
};

/** All that is answered, by its path. */
export interface Routes {
  paths: readonly string[];
  /** What is done at a path, whether it ends with slashes or not. */
  at(path: string): Route | DocumentRoute | undefined;
}

/** @param upstream whether an upstream answers what im-admin does not */
export function routesOf(options: ResolvedOptions, upstream = false): Routes {
  const routes = new Map(createRoutes(options, upstream).map((route) => [route.path, route]));
  return {
    paths: [...routes.keys()],
    at: (path) => routes.get(path) ?? routes.get(withoutEndSlashes(path)),
  };
}

function createRoutes(options: ResolvedOptions, upstream: boolean): (Route | DocumentRoute)[] {
  const { basePath, adminToken, openApi, historyOf } = options;
  const ofOperations = Object.values(operations).map(
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
  const routes: (Route | DocumentRoute)[] = historyOf === undefined ? ofOperations : ofOperations.map(keeping);
  // Beside an upstream, conversations are the upstream's.
  if (!upstream) routes.push(countRoute(basePath));
  if (historyOf !== undefined) routes.push(...historyRoutes(basePath));
  if (adminToken !== undefined) routes.push(adminTokenRoute(basePath + paths.getAdminToken, adminToken));
  if (openApi !== undefined) routes.push(documentRoute(openApi, options, upstream));
  return routes;
}

/** The route, which keeps in the history what it sets. */
function keeping(route: Route): Route {
  return route.operation === conversationsSetting.name ? recordedRoute(route) : route;
}
