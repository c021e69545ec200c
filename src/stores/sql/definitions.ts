/**
 * What is listed: each counted list as the rows that are its entries. Triggers, bulk builds and checks are all made of
 * these definitions, in which a table is named by its alias only.
 */

/** The names of the counted lists, and whose list each is. */
export type ListName =
  /** Members of a group. */
  | "groupMembers"
  /** Groups that a user is a member of. */
  | "joinedGroups"
  /** The blacklist of a user. */
  | "blacks"
  /** Join requests for the groups that a user manages. */
  | "receivedGroupRequests"
  /** The same, those with the same result next to each other. */
  | "receivedGroupRequestsByResult"
  /** Notification accounts; the owner is "". */
  | "notificationAccounts"
  /** The same, those with the same level next to each other. */
  | "notificationAccountsByLevel";

/** A counted list, as SQL expressions. */
export interface Definition {
  name: ListName;
  /** The tables that its entries are made of, by their aliases in the expressions. */
  tables: Readonly<Record<string, CountedTable>>;
  /** Which rows, or combinations of rows, are entries; absent where all are. */
  condition?: string;
  owner: string;
  /** What its entries are sorted by, as one text that sorts bytewise; unique within the owner's list. */
  key: string;
  /** Where an entry's row is found. */
  item: string;
}

/** The tables that counted lists are made of, with their keys. */
export const countedTables = {
  users: ["userID"],
  groupMembers: ["groupID", "userID"],
  blacks: ["ownerUserID", "blackUserID"],
  groupRequests: ["groupID", "userID"],
} as const;

export type CountedTable = keyof typeof countedTables;

/** The roles whose members manage their group. */
export const managing = "(60, 100)";

const ascending = (time: string) => `printf('%016d', ${time})`;
const descending = (time: string) => `printf('%016d', 9999999999999999 - ${time})`;

/** The order of received join requests. A NUL is less than any character of an identifier. */
const requestKey = `${descending("request.reqTime")} || request.groupID || char(0) || request.userID`;

const received = {
  tables: { request: "groupRequests", manager: "groupMembers" },
  condition: `manager.groupID = request.groupID AND manager.roleLevel IN ${managing}`,
  owner: "manager.userID",
  item: "request.id",
} as const;

const notification = {
  tables: { account: "users" },
  condition: "account.appMangerLevel >= 3",
  owner: "''",
  item: "account.userID",
} as const;

export const definitions: readonly Definition[] = [
  {
    name: "groupMembers",
    tables: { member: "groupMembers" },
    owner: "member.groupID",
    key: `printf('%03d', 999 - member.roleLevel) || ${ascending("member.joinTime")} || member.userID`,
    item: "member.id",
  },
  {
    name: "joinedGroups",
    tables: { member: "groupMembers" },
    owner: "member.userID",
    key: `${descending("member.joinTime")} || member.groupID`,
    item: "member.id",
  },
  {
    name: "blacks",
    tables: { black: "blacks" },
    owner: "black.ownerUserID",
    key: `${descending("black.createTime")} || black.blackUserID`,
    item: "black.id",
  },
  { name: "receivedGroupRequests", ...received, key: requestKey },
  { name: "receivedGroupRequestsByResult", ...received, key: `request.handleResult || ':' || ${requestKey}` },
  { name: "notificationAccounts", ...notification, key: "account.userID" },
  {
    name: "notificationAccountsByLevel",
    ...notification,
    key: "account.appMangerLevel || ':' || account.userID",
  },
];

export function definitionOf(name: ListName): Definition {
  const definition = definitions.find((definition) => definition.name === name);
  if (definition === undefined) throw new Error(`there is no list ${name}`);
  return definition;
}

/** What the keys of members with a role begin with. */
export function rolePrefix(roleLevel: number): string {
  return String(999 - roleLevel).padStart(3, "0");
}

/** What the keys begin with in the lists by result and by level. */
export function valuePrefix(value: number): string {
  return `${value}:`;
}
