import type { Group } from "../../src/index.js";
import { call } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { askNames, hasName, knownName } from "./names.js";

const first = { pageNumber: 1, showNumber: 1 };
/** In how many groups of a user to look for one group. */
const mostGroups = 1_000;

/** What the heading of a group shows. */
export type FoundGroup = Pick<Group, "status" | "createTime" | "ownerUserID" | "memberCount"> & {
  /** A receiver of the group's join requests: its owner or an administrator; undefined if it has none. */
  managerID: string | undefined;
};

/** A receiver of a group's join requests. */
export function findManager(groupID: string, signal: AbortSignal): Promise<string | undefined> {
  return firstManager(groupID, signal).then((manager) => manager?.userID);
}

function firstManager(groupID: string, signal: AbortSignal) {
  const read = ({ members }: { members: readonly { userID: string; roleLevel: number }[] }) => members[0];
  return call("getGroupMemberList", { groupID, filter: 5, pagination: first }, { signal, read });
}

/** Finds what is known of a group, and its name. */
export async function findGroup(groupID: string, signal: AbortSignal): Promise<FoundGroup> {
  const [member, manager, named] = await Promise.all([
    call(
      "getGroupMemberList",
      { groupID, pagination: first },
      { signal, read: ({ members, total }) => ({ userID: members[0]?.userID, total }) },
    ),
    firstManager(groupID, signal),
    askNames([{ kind: "group", id: groupID }], signal),
  ]);
  const group = named ? named.groups[0] : await findAmongGroupsOf(member.userID, groupID, signal);
  return {
    status: group?.status ?? 0,
    createTime: group?.createTime ?? 0,
    ownerUserID: manager?.roleLevel === 100 ? manager.userID : "",
    memberCount: member.total,
    managerID: manager?.userID,
  };
}

/** Finds a group among the groups of one of its members, where the server does not tell names. */
async function findAmongGroupsOf(userID: string | undefined, groupID: string, signal: AbortSignal) {
  if (userID === undefined) return undefined;
  const input = { fromUserID: userID, pagination: { pageNumber: 1, showNumber: mostGroups } };
  const read = ({ groups }: { groups: readonly Group[] }) => groups.find((group) => group.groupID === groupID);
  return call("getJoinedGroupList", input, { signal, read });
}

/** Finds a user's name, where the server does not tell it among the members of the user's first group. */
export async function findUserName(userID: string, signal: AbortSignal): Promise<void> {
  if (hasName("user", userID) || (await askNames([{ kind: "user", id: userID }], signal))) return;
  if (knownName("user", userID) !== "") return;
  const input = { fromUserID: userID, pagination: first };
  const groupID = await call("getJoinedGroupList", input, { signal, read: ({ groups }) => groups[0]?.groupID });
  if (groupID === undefined) return;
  const pagination = { pageNumber: 1, showNumber: 100 };
  await call("getGroupMemberList", { groupID, keyword: userID, pagination }, { signal, read: () => undefined });
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
