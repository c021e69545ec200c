import { paths } from "../http/paths.js";
import type { AdminClient } from "./adminClient.js";
import { dataOf } from "./dataOf.js";
import { callOf, type Sending } from "./send.js";

/** The six functions, with the same settings. */
export function callsOf(sending: Sending): AdminClient {
  return {
    getGroupMemberList: callOf(sending, paths.getGroupMemberList, dataOf.getGroupMemberList),
    getBlackList: callOf(sending, paths.getBlackList, dataOf.getBlackList),
    getJoinedGroupList: callOf(sending, paths.getJoinedGroupList, dataOf.getJoinedGroupList),
    getReceivedGroupApplicationList: callOf(
      sending,
      paths.getReceivedGroupApplicationList,
      dataOf.getReceivedGroupApplicationList,
    ),
    searchNotificationAccount: callOf(sending, paths.searchNotificationAccount, dataOf.searchNotificationAccount),
    setConversations: callOf(sending, paths.setConversations, dataOf.setConversations),
  };
}
