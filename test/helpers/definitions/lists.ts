/**
 * The lists of im-admin, and lists that use the other properties which a definition may have. Their names begin with
 * `trial`, so that a list of im-admin never has one of them.
 */
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
  trialMutedMembers: list<object, "groupMembers">({
    ...ofGroup,
    name: "trialMutedMembers",
    least: { field: "muteEndTime", value: 1 },
    isSearched: true,
    order: [descending("muteEndTime"), ascending("userID")],
    item: memberItem,
  }),
  /** Is sorted by a text, and then by a number. */
  trialMembersByInviter: list<object, "groupMembers">({
    ...ofGroup,
    name: "trialMembersByInviter",
    order: [ascending("inviterUserID"), descending("roleLevel"), ascending("userID")],
    item: memberItem,
  }),
  /** Is divided by a text, for a filter beside a keyword and beside levels. */
  trialMembersOfInviter: list<object, "groupMembers">({
    ...ofGroup,
    name: "trialMembersOfInviter",
    dividedBy: "inviterUserID",
    isSearched: true,
    order: asMembers,
    item: memberItem,
  }),
  /** Is divided by a number, and has a least value. */
  trialMutedOfSource: list<object, "groupMembers">({
    ...ofGroup,
    name: "trialMutedOfSource",
    dividedBy: "joinSource",
    least: { field: "muteEndTime", value: 1 },
    order: [ascending("userID")],
    item: memberItem,
  }),
  /** Has no owner, and a greater least value than another list. */
  trialRobots: list<object, "users">({
    table: "users",
    name: "trialRobots",
    least: { field: "appMangerLevel", value: 4 },
    isSearched: true,
    order: [ascending("userID")],
    item: accountItem,
  }),
  /** Has neither an owner nor a least value, and is sorted by a text that is searched, too. */
  trialUsersByNickname: list<object, "users">({
    table: "users",
    name: "trialUsersByNickname",
    order: [ascending("nickname"), ascending("userID")],
    item: accountItem,
  }),
} as const;

export const lists: readonly ListDefinition[] = [...own, ...Object.values(more)];
