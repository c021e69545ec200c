import { paths } from "../http/paths.js";
import type { AdminClient } from "./adminClient.js";
import { listOf } from "./listOf.js";
import { requestsOf } from "./requestsOf.js";
import { callOf, type Sending } from "./send.js";

/** The six functions, with the same settings. */
export function callsOf(sending: Sending): AdminClient {
  return {
    getGroupMemberList: callOf(sending, paths.getGroupMemberList, listOf("members")),
    getBlackList: callOf(sending, paths.getBlackList, listOf("blacks")),
    getJoinedGroupList: callOf(sending, paths.getJoinedGroupList, listOf("groups")),
    getReceivedGroupApplicationList: callOf(sending, paths.getReceivedGroupApplicationList, requestsOf),
    searchNotificationAccount: callOf(sending, paths.searchNotificationAccount, listOf("notificationAccounts")),
    setConversations: callOf(sending, paths.setConversations, () => null),
  };
}
