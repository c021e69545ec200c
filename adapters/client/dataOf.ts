import type { AdminClient, ClientCall } from "./adminClient.js";
import { listOf } from "./listOf.js";
import { requestsOf } from "./requestsOf.js";

type Data<Call> = Call extends ClientCall<infer _Input, infer Found> ? Found : never;

/** What converts the server's data of each function to its type; it returns undefined if that is not possible. */
export const dataOf: { readonly [Name in keyof AdminClient]: (data: unknown) => Data<AdminClient[Name]> | undefined } =
  {
    getGroupMemberList: listOf("members"),
    getBlackList: listOf("blacks"),
    getJoinedGroupList: listOf("groups"),
    getReceivedGroupApplicationList: requestsOf,
    searchNotificationAccount: listOf("notificationAccounts"),
    setConversations: () => null,
  };
