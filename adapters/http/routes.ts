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
import type { ResolvedOptions } from "./options.js";

/** What is done at a path. */
export interface Route {
  /** The name in reports to the observer. */
  operation: string;
  /** Whether only an administrator may call it. */
  needsToken: boolean;
  /** It validates the input, which is whatever JSON the request held. */
  run(input: unknown, options: CallOptions): Promise<Envelope<unknown>>;
}

// The functions validate their input themselves, so here it may be anything.
type Operation = (store: Store, input: never, options: CallOptions) => Promise<Envelope<unknown>>;

const operations: Readonly<Record<string, Operation>> = {
  "/group/get_group_member_list": getGroupMemberList,
  "/friend/get_black_list": getBlackList,
  "/group/get_joined_group_list": getJoinedGroupList,
  "/group/get_recv_group_applicationList": getReceivedGroupApplicationList,
  "/user/search_notification_account": searchNotificationAccount,
  "/conversation/set_conversations": setConversations,
};

/** The routes by their whole path. */
export function createRoutes({ store, basePath, adminToken }: ResolvedOptions): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  for (const [path, operation] of Object.entries(operations)) {
    routes.set(basePath + path, {
      operation: operation.name,
      needsToken: true,
      run: (input, options) => operation(store, input as never, options),
    });
  }
  if (adminToken !== undefined) routes.set(`${basePath}/auth/get_admin_token`, adminTokenRoute(adminToken));
  return routes;
}
