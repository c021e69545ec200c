import type { Group } from "../../src/index.js";
import { call } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { rememberName } from "./names.js";

const first = { pageNumber: 1, showNumber: 1 };
/** In how many groups of a user to look for one group. */
const mostGroups = 1_000;

/** A receiver of a group's join requests: its owner or an administrator; undefined if it has none. */
export function findManager(groupID: string, signal: AbortSignal): Promise<string | undefined> {
  return call(
    "getGroupMemberList",
    { groupID, filter: 5, pagination: first },
    { signal, read: ({ members }) => members[0]?.userID },
  );
}

/** Finds a group among the groups of its first member, since no operation returns a group by its ID. */
export async function findGroup(groupID: string, signal: AbortSignal): Promise<Group | undefined> {
  const input = { groupID, pagination: first };
  const userID = await call("getGroupMemberList", input, { signal, read: ({ members }) => members[0]?.userID });
  if (userID === undefined) return undefined;
  const pagination = { pageNumber: 1, showNumber: mostGroups };
  const found = await call(
    "getJoinedGroupList",
    { fromUserID: userID, pagination },
    { signal, read: ({ groups }) => groups.find((group) => group.groupID === groupID) },
  );
  if (found !== undefined) rememberName("group", groupID, found.groupName);
  return found;
}

/** Finds a user's name among the members of the user's first group, since no operation returns a user by the ID. */
export async function findUserName(userID: string, signal: AbortSignal): Promise<void> {
  const input = { fromUserID: userID, pagination: first };
  const groupID = await call("getJoinedGroupList", input, { signal, read: ({ groups }) => groups[0]?.groupID });
  if (groupID === undefined) return;
  const pagination = { pageNumber: 1, showNumber: 100 };
  const nickname = await call(
    "getGroupMemberList",
    { groupID, keyword: userID, pagination },
    { signal, read: ({ members }) => members.find((member) => member.userID === userID)?.nickname },
  );
  if (nickname !== undefined) rememberName("user", userID, nickname);
}

/** Whether a group, a user or both have an ID. */
export async function kindsWith(id: string, signal: AbortSignal): Promise<("group" | "user")[]> {
  const [isGroup, isUser] = await Promise.all([
    exists(call("getGroupMemberList", { groupID: id, pagination: first }, { signal, read: () => true })),
    exists(call("getJoinedGroupList", { fromUserID: id, pagination: first }, { signal, read: () => true })),
  ]);
  return [...(isGroup ? (["group"] as const) : []), ...(isUser ? (["user"] as const) : [])];
}

async function exists(asked: Promise<true>): Promise<boolean> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CallFailure && error.errCode === 1004) return false;
    throw error;
  }
}
