import type { OperationName } from "../../src/operation.js";

/** The path of each operation over HTTP, after the base path. */
export const paths: Readonly<Record<OperationName | "getAdminToken", string>> = {
  getGroupMemberList: "/group/get_group_member_list",
  getBlackList: "/friend/get_black_list",
  getJoinedGroupList: "/group/get_joined_group_list",
  getReceivedGroupApplicationList: "/group/get_recv_group_applicationList",
  searchNotificationAccount: "/user/search_notification_account",
  setConversations: "/conversation/set_conversations",
  getAdminToken: "/auth/get_admin_token",
};
