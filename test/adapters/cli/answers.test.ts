import { expect, it } from "vitest";
import { answersOf } from "../../../adapters/cli/answers.js";
import type { TableMap } from "../../../src/stores/tablesSql.js";

const members = { from: "chat.membership", key: { groupID: "room", userID: "person" } };
const inbox = { from: "chat.inbox", key: { ownerUserID: "person", conversationID: "id" } };
const identifying = { conversationType: "type", userID: "peer", groupID: "room" };
const noManagers = "empty, no member has the roleLevel of an administrator (60) or owner (100)";
const noAccounts = "empty, no user has the appMangerLevel of a notification account (3 or more)";
const unsettable =
  "500, conversations are mapped by expressions, a condition, or without their type, userID or groupID: replace setConversations of the store";

it.each<[string, TableMap, string]>([
  ["getGroupMemberList", { groupMembers: members }, "from chat.membership"],
  ["getGroupMemberList", { groups: "empty", groupMembers: members }, "1004, the map has no groups"],
  [
    "getBlackList",
    { blacks: { from: "(SELECT 1) AS blocked", key: { ownerUserID: "a", blackUserID: "b" } } },
    "from the query blocked",
  ],
  ["getBlackList", { users: "empty" }, "1004, the map has no users"],
  ["getJoinedGroupList", { groupMembers: "empty" }, "empty, the map has none"],
  ["getReceivedGroupApplicationList", {}, "from im-admin's own table"],
  ["getReceivedGroupApplicationList", { groupMembers: members }, noManagers],
  ["getReceivedGroupApplicationList", { groupMembers: { ...members, fields: { roleLevel: "20" } } }, noManagers],
  [
    "getReceivedGroupApplicationList",
    { groupMembers: { ...members, fields: { roleLevel: "60" } } },
    "from im-admin's own table",
  ],
  ["searchNotificationAccount", { users: { from: "chat.person", key: { userID: "id" } } }, noAccounts],
  [
    "searchNotificationAccount",
    { users: { from: "chat.person", key: { userID: "id" }, fields: { appMangerLevel: "kind" } } },
    "from chat.person",
  ],
  ["setConversations", { conversations: "empty" }, "1001, this server keeps no conversations"],
  ["setConversations", { conversations: { ...inbox, fields: identifying } }, "writes chat.inbox"],
  ["setConversations", { conversations: inbox }, unsettable],
  ["setConversations", { conversations: { ...inbox, fields: identifying, where: "shown" } }, unsettable],
])("says what %s answers over the map %j", (name, map, answer) => {
  expect(answersOf(map)[name]).toBe(answer);
});
