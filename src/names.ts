import type { Group, UserInfo } from "./model.js";

/** Asks for what groups and users are called. */
export interface NamesQuery {
  groupIDs: readonly string[];
  userIDs: readonly string[];
}

/** What groups and users are called. Those that do not exist are left out. */
export interface Names {
  groups: readonly Pick<Group, (typeof namedFields.groups)[number]>[];
  users: readonly Pick<UserInfo, (typeof namedFields.users)[number]>[];
}

/** What is told of a group and of a user; the first field is the key. */
export const namedFields = {
  groups: ["groupID", "groupName", "status", "createTime"],
  users: ["userID", "nickname"],
} as const;
