/**
 * Decides before a call whether it is heavy: whether it may hold up other calls for more than a few milliseconds. Heavy
 * calls run in the lane.
 */
import type { PageRange } from "../../../pagination.js";
import type { RecordSet } from "../../../records.js";
import type { ConversationChange } from "../../../store.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequests, receivedGroupRequests } from "../../lists/groupRequests.js";
import { rowsOf, type SqlDatabase } from "../../sqlite/database.js";
import type { AskedPage } from "../../sqlite/reads.js";
import { partOfOwner } from "../../sqlite/schema/keys.js";
import { isManaging, listedTable, managedGroups } from "../../sqlite/schema/listed.js";
import { literal, name, sql } from "../../sqlite/sql.js";

/** The limits of a light call, and how long it then takes in a group of 300,000. */
const most = {
  /** Items of one page: 1 ms, and 1,000 take 8 ms. */
  items: 100,
  /** Rows of a list that are read one by one: 4 ms. */
  lookedAt: 2_000,
  /** Lists that a page merges, one for each group and result: late pages take 50 to 90 us for each. */
  merged: 60,
  /** Users whose conversation a call sets: 2 ms, and 1,000 take 18 ms. */
  users: 100,
  /** Characters that it writes for them. */
  characters: 100_000,
  /** Records of one put or remove: 4 ms, and 1,000 take 35 ms. */
  records: 100,
};

/** Whether a query for a page is heavy. */
export async function isHeavyRead(
  database: SqlDatabase,
  asked: AskedPage,
  { offset, limit }: PageRange,
): Promise<boolean> {
  const { text, request } = asked;
  const { looksAt } = text;
  const merges = looksAt === "lists" && (offset > 0 || request.filter !== undefined);
  if (limit <= most.items && looksAt !== "list" && !merges) return false;
  const { total, lists } = await countedTotal(database, asked);
  if (looksAt === "list") return total > most.lookedAt;
  return (merges && lists > most.merged) || Math.min(limit, total - offset) > most.items;
}

const readTotal = sql`
  WITH request (list, owner, part) AS (VALUES (?, ?, ?))
  SELECT total FROM im_admin_lists
    WHERE name = (SELECT list FROM request)
      AND owner = (SELECT coalesce(${partOfOwner(sql`owner`, sql`part`)}, owner) FROM request)`.text;

const managed = sql`
  SELECT group_id FROM ${listedTable(groupMembers)} INDEXED BY ${name(managedGroups)}
    WHERE user_id = (SELECT manager FROM request) AND ${isManaging}`;

const readManagedTotal = sql`
  WITH request (manager, filter) AS (VALUES (?, ?))
  SELECT sum(total) AS total,
      (SELECT count(*) FROM (${managed} LIMIT ${literal(most.merged + 1)}))
        * coalesce((SELECT json_array_length(filter) FROM request), 1) AS lists
    FROM im_admin_lists
    WHERE name = ${literal(groupRequests.name)} AND owner IN (
      ${managed})`.text;

/**
 * The kept total of a list, or of all lists that it is merged of, and how many these are. A short list has no total, and
 * counts as empty.
 */
async function countedTotal(database: SqlDatabase, { text: { list }, request }: AskedPage) {
  const { owner = null, part = null, filter = null } = request;
  const statement =
    list === receivedGroupRequests
      ? { text: readManagedTotal, values: [owner, filter] }
      : { text: readTotal, values: [list.name, owner, part] };
  const [row] = rowsOf(await database.read([statement]), 0);
  return { total: Number(row?.["total"] ?? 0), lists: Number(row?.["lists"] ?? 0) };
}

const readWaiting = sql`
  SELECT count(*) AS waiting FROM (SELECT 1 FROM im_admin_changed LIMIT ${literal(most.records + 1)})`.text;

/** Whether so many changes wait that settling them is heavy. A part of a key may stand for many records. */
export async function areManyWaiting(database: SqlDatabase): Promise<boolean> {
  const [row] = rowsOf(await database.read([{ text: readWaiting, values: [] }]), 0);
  return Number(row?.["waiting"]) > most.records;
}

export function isHeavyChange({ userIDs, fields }: ConversationChange): boolean {
  const characters = (fields.ex?.length ?? 0) + (fields.attachedInfo?.length ?? 0);
  return userIDs.length > most.users || userIDs.length * characters > most.characters;
}

/** Whether there are many records. Any iterable but an array may have many. */
export function isManyRecords(records: Readonly<Record<string, unknown>> | RecordSet): boolean {
  let count = 0;
  for (const ofKind of Object.values(records ?? {})) {
    if (ofKind === undefined) continue;
    if (!Array.isArray(ofKind)) return true;
    count += ofKind.length;
  }
  return count > most.records;
}
