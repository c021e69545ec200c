/** What the six functions answer over a map, in words. */
import type { RecordName } from "../../src/records.js";
import { managingRoles } from "../../src/stores/lists/groupRequests.js";
import type { MappedRecord, TableMap } from "../../src/stores/tablesSql.js";
import { aliasOf, isQuery } from "../../src/tables/mapNames.js";
import { whyUnsettable } from "../../src/tables/settable.js";

/** A phrase for each function, by its name. */
export type Answers = Readonly<Record<string, string>>;

/** Says where each of the six functions finds its answer. */
export function answersOf(map: TableMap): Answers {
  return {
    getGroupMemberList: without(map, "groups") ?? from(map, "groupMembers"),
    getBlackList: without(map, "users") ?? from(map, "blacks"),
    getJoinedGroupList: without(map, "users") ?? from(map, "groupMembers"),
    getReceivedGroupApplicationList: without(map, "users") ?? withoutManagers(map) ?? from(map, "groupRequests"),
    searchNotificationAccount: withoutAccounts(map) ?? from(map, "users"),
    setConversations: without(map, "users") ?? settable(map),
  };
}

function from(map: TableMap, name: RecordName): string {
  const mapped = map[name];
  if (mapped === undefined) return "from im-admin's own table";
  if (mapped === "empty") return "empty, the map has none";
  return isQuery(mapped.from) ? `from the query ${aliasOf(mapped.from)}` : `from ${mapped.from}`;
}

/** The answer for a group or user that does not exist. */
function without(map: TableMap, parent: "groups" | "users"): string | undefined {
  return map[parent] === "empty" ? `1004, the map has no ${parent}` : undefined;
}

/** Only an administrator or the owner of a group receives requests. */
function withoutManagers(map: TableMap): string | undefined {
  if (map.groupRequests === "empty") return undefined;
  return isNever(map.groupMembers, "roleLevel", (level) => managingRoles.some((role) => role === level))
    ? "empty, no member has the roleLevel of an administrator (60) or owner (100)"
    : undefined;
}

function withoutAccounts({ users }: TableMap): string | undefined {
  return users !== "empty" && isNever(users, "appMangerLevel", (level) => level >= 3)
    ? "empty, no user has the appMangerLevel of a notification account (3 or more)"
    : undefined;
}

/** Whether a number is missing, or a constant that is not wanted, in all records. */
function isNever(
  mapped: MappedRecord | "empty" | undefined,
  field: string,
  isWanted: (value: number) => boolean,
): boolean {
  if (mapped === undefined) return false;
  if (mapped === "empty") return true;
  const value = (mapped.fields as Readonly<Record<string, string | undefined>> | undefined)?.[field] ?? "0";
  return /^\s*\d+\s*$/.test(value) && !isWanted(Number(value));
}

function settable({ conversations }: TableMap): string {
  if (conversations === undefined) return "writes im-admin's own table";
  if (conversations === "empty") return "1001, this server keeps no conversations";
  const refusal = whyUnsettable(conversations);
  return refusal === undefined ? `writes ${conversations.from}` : `500, ${refusal}`;
}
