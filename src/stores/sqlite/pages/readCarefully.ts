/**
 * Reads a page where a row of a host cannot be read, or where one was set aside when the lists were settled. Fields that are
 * only shown are left out. If a row is set aside that the list would have, reading fails, and names the row.
 */
import type { Unreadable } from "../../../pagination.js";
import { type RecordName, recordFields, recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import type { Row, Statement } from "../database.js";
import { findUnreadable, type Key, type Without } from "../map/findUnreadable.js";
import { type Mark, orderFields, told } from "../map/marks.js";
import { nothingWaits, waitingKinds } from "../schema/changed.js";
import { isManaging, listedTable } from "../schema/listed.js";
import { literal, name, type Sql, sql } from "../sql.js";
import type { Request } from "./readPage.js";
import { isIn, rowColumns } from "./selections.js";

/** What a careful read asks for. */
export interface Asked {
  list: ListDefinition;
  isKept: boolean;
  request: Request;
  /** Reads the page. */
  page: Statement;
  /** Reads the keys of its rows. */
  keys: Statement;
  /** Whether the page could not be read plainly. */
  isBroken: boolean;
}

/** A page that was read. */
export interface CarefulPage {
  /** The rows of its statement. */
  rows: readonly Row[];
  unreadable?: readonly Unreadable[];
}

/** The most fields of which an observer learns. */
const mostTold = 20;

/** @throws Error that names the rows because of which the list cannot be read */
export async function readCarefully(
  without: Without,
  asked: Asked,
  unsettled?: () => Promise<readonly Mark[]>,
): Promise<CarefulPage> {
  const known = asked.isKept ? "known" : "given";
  const state = stateOf(asked);
  let found: readonly Mark[] = [];
  let marks: readonly Mark[] = [];
  if (asked.isBroken) {
    const [rows = []] = await without([], known, [state]);
    if (waits(rows)) return { rows };
    const before = (await unsettled?.()) ?? [];
    found = await marksOfPage(without, asked, (statement) => without(before, known, [statement]));
    marks = [...before, ...found];
  }
  const results = await without(marks, known, [state, asked.page]);
  const [[{ parent, own } = {}] = [], rows = []] = results;
  if (waits(rows)) return { rows };
  const reason = parent ?? (rows.length > 0 ? own : null);
  if (typeof reason === "string") throw new Error(reason);
  return { rows, ...(found.length > 0 && { unreadable: found.slice(0, mostTold).map(told) }) };
}

function waits([row]: readonly Row[]): boolean {
  const waiting = row?.["waiting"];
  return typeof waiting === "string" && waiting !== nothingWaits;
}

/** Reads what waits, and the rows that are set aside: the list's owner, and rows of the list. */
function stateOf({ list, isKept, request: { owner = null, groupIDs = null } }: Asked): Sql {
  const { table, parent } = list;
  const second = (field: string | undefined) => recordKeys[table].indexOf(field ?? "") === 1;
  const isOwned = sql`
    record = ${literal(table)} AND ${name(second(list.owner) ? "second" : "first")} = (SELECT owner FROM request)`;
  // A manager's list is merged of the lists of groups.
  const isReceived = sql`
    (record = 'groupMembers' AND second = (SELECT owner FROM request)
      OR record = 'groupRequests' AND first IN (
        SELECT group_id FROM ${listedTable({ table: "groupMembers" })} WHERE user_id = (SELECT owner FROM request) AND ${isManaging}))
      AND ${isIn(sql`first`, "groupIDs")}`;
  const own = parent === undefined ? sql`record = ${literal(table)}` : isMerged(list) ? isReceived : isOwned;
  const ofParent = sql`record = ${literal(parent ?? "")} AND first = (SELECT owner FROM request)`;
  return sql`
    WITH request (owner, group_ids) AS (VALUES (${owner}, ${groupIDs}))
    SELECT ${isKept ? waitingKinds : sql`NULL`} AS waiting, ${reasonsWhere(ofParent)} AS parent, ${reasonsWhere(own)} AS own`;
}

/** Whether rows of several owners make the list. */
function isMerged({ parent, owner }: ListDefinition): boolean {
  return parent === "users" && owner === "groupID";
}

function reasonsWhere(condition: Sql): Sql {
  return sql`
    (SELECT group_concat(reason, '; ') FROM (
      SELECT record || ' ' || first || CASE second WHEN '' THEN '' ELSE ', ' || second END || ': ' || field
          || ' cannot be read (' || reason || ')' AS reason
        FROM im_admin_unreadable WHERE decides AND ${condition} LIMIT 3))`;
}

/** What cannot be read of the rows of a page, and of the profiles, groups and the owner that are read with them. */
async function marksOfPage(
  without: Without,
  { list, request: { owner }, keys: keysOfRows }: Asked,
  read: (statement: Statement) => Promise<Row[][]>,
): Promise<Mark[]> {
  const parent =
    list.parent === undefined
      ? []
      : await findUnreadable(without, list.parent, [[String(owner), ""]], orderFields(list.parent));
  if (parent.length > 0) return parent;
  const [rows = []] = await read(keysOfRows);
  const columns = rowColumns(list);
  const marksOf = (record: RecordName, keys: readonly string[]) => {
    const parts = rows.map((row) => keys.map((key) => String(row[name(key).text])));
    const unique = new Map(
      parts.map(([first = "", second = ""]): [string, Key] => [`${first}\0${second}`, [first, second]]),
    );
    const fields = recordFields[record].slice(keys.length).map(([field]) => field);
    return findUnreadable(without, record, [...unique.values()], fields);
  };
  const { profile, group } = list.item;
  return [
    ...(await marksOf(list.table, columns)),
    ...(profile === undefined ? [] : await marksOf("users", [profile])),
    ...(group === undefined ? [] : await marksOf("groups", [group])),
  ];
}
