import type { CallOptions } from "../../src/call.js";
import type { Envelope } from "../../src/envelope.js";
import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import type { Store } from "../../src/store.js";
import { adminTokenRoute } from "./adminToken.js";
import type { ResolvedOptions } from "./handlerOptions.js";

/** What is done at a path. */
export interface Route {
  path: string;
  /** The name in reports to the observer. */
  operation: string;
  /** Whether only an administrator may call it. */
  needsToken: boolean;
  /** It validates the input, which is whatever JSON the request held. */
  run(input: unknown, options: CallOptions, storeOf: () => Store | Promise<Store>): Promise<Envelope<unknown>>;
}

// The functions validate their input themselves, so here it may be anything.
type Operation = (store: Store, input: never, options: CallOptions) => Promise<Envelope<unknown>>;

const operations: readonly [path: string, name: string, operation: Operation][] = [
  ["/group/get_group_member_list", "getGroupMemberList", getGroupMemberList],
  ["/friend/get_black_list", "getBlackList", getBlackList],
  ["/group/get_joined_group_list", "getJoinedGroupList", getJoinedGroupList],
  ["/group/get_recv_group_applicationList", "getReceivedGroupApplicationList", getReceivedGroupApplicationList],
  ["/user/search_notification_account", "searchNotificationAccount", searchNotificationAccount],
  ["/conversation/set_conversations", "setConversations", setConversations],
];

export function createRoutes({ basePath, adminToken }: Pick<ResolvedOptions, "basePath" | "adminToken">): Route[] {
  const routes = operations.map(
    ([path, name, operation]): Route => ({
      path: basePath + path,
      operation: name,
      needsToken: true,
      run(input, options, storeOf) {
        const store = storeOf();
        // Only a promise is waited for: a store may be a proxy that has any method, also "then".
        return store instanceof Promise
          ? store.then((found) => operation(found, input as never, options))
          : operation(store, input as never, options);
      },
    }),
  );
  if (adminToken !== undefined) routes.push(adminTokenRoute(`${basePath}/auth/get_admin_token`, adminToken));
  return routes;
}
