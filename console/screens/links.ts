import type { Messages } from "../language/messages.js";
import type { DetailLink } from "../parts/Detail.js";

/** The ways to the lists of a user. */
export function userLinks(userID: string, { detail }: Messages): DetailLink[] {
  return [
    { label: detail.groups, to: { screen: "groups", userID, row: 1 } },
    { label: detail.requests, to: { screen: "requests", userID, result: "pending", row: 1 } },
    { label: detail.blacklist, to: { screen: "blacklist", userID, row: 1 } },
  ];
}

/** The way to the members of a group. */
export function groupLinks(groupID: string, { detail, members }: Messages): DetailLink[] {
  return [
    { label: detail.members, to: { screen: "members", groupID, keyword: "", filter: 0, row: 1 } },
    { label: members.setConversation, to: { screen: "conversations", groupID } },
  ];
}
