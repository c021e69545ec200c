/**
 * Which calls are heavy: those that may hold up others for longer than a few milliseconds. They are done in a lane of
 * their own. What decides is known before the call.
 */
import type { RecordSet } from "../../../records.js";
import type { ConversationChange } from "../../../store.js";
import { rowsOf, type SqlDatabase } from "../../sqlite/database.js";
import type { Queries, ReadName } from "../../sqlite/reads.js";
import { sql } from "../../sqlite/sql.js";

/** The most that is done beside other calls. */
const most = {
  /** Items of one page. */
  items: 100,
  /** Entries of a list that are looked at one by one. */
  lookedAt: 2_000,
  /** Users whose conversation is set. */
  users: 100,
  /** Characters that are written for them. */
  characters: 100_000,
  /** Records that are put or removed. */
  records: 1_000,
};

/** Whether a query is heavy where its list is long. */
export function mayBeHeavy({ limit, looksAtAll }: Asked): boolean {
  return limit > most.items || looksAtAll;
}

/** Whether a query is heavy, of those that may be. */
export async function isHeavyRead(database: SqlDatabase, asked: Asked): Promise<boolean> {
  const { list, owner, looksAtAll, limit, offset } = asked;
  const total = await countedTotal(database, list, owner);
  return looksAtAll ? total > most.lookedAt : Math.min(limit, total - offset) > most.items;
}

/** What a query asks for. */
interface Asked {
  list: string;
  owner: string;
  offset: number;
  limit: number;
  /** Whether it looks at all entries of the list. */
  looksAtAll: boolean;
}

export function askedOf<Name extends ReadName>(name: Name, query: Queries[Name]): Asked {
  const { offset, limit } = query;
  return { ...listOf(name, query), offset, limit };
}

function listOf<Name extends ReadName>(name: Name, query: Queries[Name]) {
  const asked = query as Partial<Queries[ReadName]>;
  const keyword = "keyword" in asked && asked.keyword !== "";
  switch (name) {
    case "listGroupMembers":
      return { list: "groupMembers", owner: (query as Queries["listGroupMembers"]).groupID, looksAtAll: keyword };
    case "listReceivedGroupRequests": {
      const { userID, groupIDs, handleResults = [] } = query as Queries["listReceivedGroupRequests"];
      return {
        list: "receivedGroupRequests",
        owner: userID,
        looksAtAll: (groupIDs?.length ?? 0) > 0 || handleResults.length > 1,
      };
    }
    case "listNotificationAccounts":
      return { list: "notificationAccounts", owner: "", looksAtAll: keyword };
    case "listJoinedGroups":
      return { list: "joinedGroups", owner: (query as Queries["listJoinedGroups"]).userID, looksAtAll: false };
    default:
      return { list: "blacks", owner: (query as Queries["listBlacks"]).ownerUserID, looksAtAll: false };
  }
}

const readTotal = sql`SELECT total FROM im_admin_lists WHERE name = ? AND owner = ?`.text;

/** How long a list is, as far as it is counted: a short one is not, and counts as empty. */
async function countedTotal(database: SqlDatabase, list: string, owner: string): Promise<number> {
  const [row] = rowsOf(await database.read([{ text: readTotal, values: [list, owner] }]), 0);
  return Number(row?.["total"] ?? 0);
}

export function isHeavyChange({ userIDs, fields }: ConversationChange): boolean {
  const characters = (fields.ex?.length ?? 0) + (fields.attachedInfo?.length ?? 0);
  return userIDs.length > most.users || userIDs.length * characters > most.characters;
}

/** How many records there are is known of arrays only. */
export function isManyRecords(records: Readonly<Record<string, unknown>> | RecordSet): boolean {
  let count = 0;
  for (const ofKind of Object.values(records ?? {})) {
    if (ofKind === undefined) continue;
    if (!Array.isArray(ofKind)) return true;
    count += ofKind.length;
  }
  return count > most.records;
}
