import type { Messages } from "../language/messages.js";
import type { DetailLink } from "../parts/Detail.js";

/** Links to the lists of a user. */
export function userLinks(userID: string, { user }: Messages): DetailLink[] {
  return [
    { label: user.groups, to: { screen: "groups", userID, row: 1 } },
    { label: user.requests, to: { screen: "requests", userID, result: "pending", row: 1 } },
    { label: user.blacklist, to: { screen: "blacklist", userID, row: 1 } },
  ];
}

/** Links to the lists of a group. */
export function groupLinks(groupID: string, { detail }: Messages): DetailLink[] {
  return [{ label: detail.members, to: { screen: "members", groupID, keyword: "", filter: 0, row: 1 } }];
}

/** A link to the form for a conversation, with everything filled in that is known. */
export function setLink(
  { lists }: Messages,
  { groupID = "", userID, peer }: { groupID?: string; userID?: string | undefined; peer?: string },
): DetailLink {
  const to = { screen: "conversations", groupID, ...(userID && { userID }), ...(peer && { peer }) } as const;
  return { label: lists.setConversation, to };
}
