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
import type { Route } from "./route.js";

// The functions validate their input themselves, so here it may be anything.
type Operation = (store: Store, input: never, options: CallOptions) => Promise<Envelope<unknown>>;

const operations = {
  getGroupMemberList,
  getBlackList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
  setConversations,
} satisfies Record<string, Operation>;

const paths: Readonly<Record<keyof typeof operations, string>> = {
  getGroupMemberList: "/group/get_group_member_list",
  getBlackList: "/friend/get_black_list",
  getJoinedGroupList: "/group/get_joined_group_list",
  getReceivedGroupApplicationList: "/group/get_recv_group_applicationList",
  searchNotificationAccount: "/user/search_notification_account",
  setConversations: "/conversation/set_conversations",
};

/** The routes by their whole path. */
export function createRoutes({ store, basePath, adminToken }: ResolvedOptions): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  for (const [operation, run] of Object.entries<Operation>(operations)) {
    routes.set(basePath + paths[operation as keyof typeof paths], {
      operation,
      needsToken: true,
      run: (input, options) => run(store, input as never, options),
    });
  }
  if (adminToken !== undefined) routes.set(`${basePath}/auth/get_admin_token`, adminTokenRoute(adminToken));
  return routes;
}
