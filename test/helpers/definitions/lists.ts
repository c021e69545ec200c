/** The lists of im-admin, and lists that use the other properties which a definition may have. */
import { groupMembers } from "../../../src/stores/lists/groupMembers.js";
import { lists as own } from "../../../src/stores/lists/index.js";
import { ascending, descending, type ListDefinition, list } from "../../../src/stores/lists/list.js";
import { notificationAccounts } from "../../../src/stores/lists/notificationAccounts.js";

const ofGroup = { table: "groupMembers", owner: "groupID", parent: "groups" } as const;
const memberItem = groupMembers.item as ListDefinition<object>["item"];
const accountItem = notificationAccounts.item as ListDefinition<object>["item"];
const asMembers = [descending("roleLevel"), ascending("joinTime"), ascending("userID")] as const;

export const more = {
  /** Has a least value, beside lists of the same records that have none. */
  mutedMembers: list<object, "groupMembers">({
    ...ofGroup,
    name: "mutedMembers",
    least: { field: "muteEndTime", value: 1 },
    isSearched: true,
    order: [descending("muteEndTime"), ascending("userID")],
    item: memberItem,
  }),
  /** Is sorted by a text, and then by a number. */
  membersByInviter: list<object, "groupMembers">({
    ...ofGroup,
    name: "membersByInviter",
    order: [ascending("inviterUserID"), descending("roleLevel"), ascending("userID")],
    item: memberItem,
  }),
  /** Is divided by a text, for a filter beside a keyword and beside levels. */
  membersOfInviter: list<object, "groupMembers">({
    ...ofGroup,
    name: "membersOfInviter",
    dividedBy: "inviterUserID",
    isSearched: true,
    order: asMembers,
    item: memberItem,
  }),
  /** Is divided by a number, and has a least value. */
  mutedOfSource: list<object, "groupMembers">({
    ...ofGroup,
    name: "mutedOfSource",
    dividedBy: "joinSource",
    least: { field: "muteEndTime", value: 1 },
    order: [ascending("userID")],
    item: memberItem,
  }),
  /** Has no owner, and a greater least value than another list. */
  robots: list<object, "users">({
    table: "users",
    name: "robots",
    least: { field: "appMangerLevel", value: 4 },
    isSearched: true,
    order: [ascending("userID")],
    item: accountItem,
  }),
  /** Has neither an owner nor a least value, and is sorted by a text that is searched, too. */
  usersByNickname: list<object, "users">({
    table: "users",
    name: "usersByNickname",
    order: [ascending("nickname"), ascending("userID")],
    item: accountItem,
  }),
} as const;

export const lists: readonly ListDefinition[] = [...own, ...Object.values(more)];
