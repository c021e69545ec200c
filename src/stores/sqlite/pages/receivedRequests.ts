/**
 * Reads the join requests that a manager has received, from the lists of the groups that the user manages. An early
 * page takes one row after the other from these lists. `betweenKeys.ts` finds a late page.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequests, groupRequestsByResult } from "../../lists/groupRequests.js";
import type { ListDefinition } from "../../lists/list.js";
import { hasKeyOf, keyOf } from "../schema/keys.js";
import { isManaging, listedTable, managedGroups, rowsInOrder } from "../schema/listed.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { countRanges, filteredRows, isIn, type Selection } from "./selections.js";

/** The rows of the managed groups that are selected. */
export interface Selected extends Pick<Selection, "definitions" | "total"> {
  list: ListDefinition;
  /** A SELECT of the ranges of keys that have them, each with a `start` and a `stop`. */
  ranges: Sql;
  /** The number of rows before the first range. */
  before: Sql;
}

/** All requests. */
export const received: Selected = {
  list: groupRequests,
  definitions: [managedLists(groupRequests)],
  total: sql`(SELECT coalesce(sum(total), 0) FROM managed)`,
  ranges: sql`SELECT '' AS start, x'' AS stop`,
  before: literal(0),
};

const counted = countRanges(groupRequestsByResult, sql`SELECT group_id AS owner, list AS id, height FROM managed`);

/** The requests with some results. */
export const withResults: Selected = {
  list: groupRequestsByResult,
  definitions: [managedLists(groupRequestsByResult), ...counted.definitions],
  total: counted.total,
  ranges: sql`SELECT value ->> 0 AS start, value ->> 1 AS stop FROM json_each((SELECT ranges FROM request))`,
  before: sql`(SELECT coalesce(min(rank), 0) FROM ranges)`,
};

/** The lists of the groups that the user manages. */
function managedLists(list: ListDefinition): Sql {
  return sql`
    managed (group_id, list, height, total) AS MATERIALIZED (
      SELECT member.group_id, counted.id, counted.height,
          coalesce(counted.total, (SELECT count(*) FROM ${rowsInOrder(list, "own")} WHERE own.group_id = member.group_id))
        FROM request
          CROSS JOIN ${listedTable(groupMembers)} member INDEXED BY ${name(managedGroups)}
            ON member.user_id = request.owner AND member.${isManaging}
          LEFT JOIN im_admin_lists counted ON counted.name = ${literal(list.name)} AND counted.owner = member.group_id
    )`;
}

/**
 * Takes one row after the other, each time the first one of all lists. So the cost grows with the number of rows to
 * skip.
 */
export function oneByOne({ list, definitions, total, ranges }: Selected): Selection {
  const key = keyOf(list, "own");
  const nextKey = keyOf(list, "next");
  const row = sql`${keyOf(groupRequests, "next")}, next.group_id, next.user_id, ${nextKey}, stop`;
  /** The first row of a list after a key and before `stop`. */
  const nextOf = (source: Sql, after: Sql) => sql`
    ${rowsInOrder(list, "next")} ON next.group_id = ${source}.group_id AND ${nextKey} = (
      SELECT ${key} FROM ${rowsInOrder(list, "own")}
        WHERE own.group_id = ${source}.group_id AND ${key} ${after} AND ${key} < stop ORDER BY ${key} LIMIT 1)`;
  return {
    total,
    definitions: [
      ...definitions,
      sql`
        merged (key, group_id, user_id, place, stop) AS (
          SELECT ${row} FROM managed CROSS JOIN (${ranges}) CROSS JOIN ${nextOf(raw("managed"), sql`>= start`)}
          UNION ALL
          SELECT ${row} FROM merged CROSS JOIN ${nextOf(raw("merged"), sql`> place`)}
          ORDER BY 1
        )`,
    ],
    page: sql`
      SELECT group_id, user_id, key FROM merged LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)`,
  };
}

/** Sorts all requests for some groups. */
export const requestsForGroups = filteredRows(sql`
  SELECT record.group_id, record.user_id, ${keyOf(groupRequests, "record")} AS key FROM (
      SELECT group_id FROM ${listedTable(groupMembers)}
        WHERE group_id IN (SELECT value FROM json_each((SELECT group_ids FROM request)))
          AND user_id = (SELECT owner FROM request) AND ${isManaging}
    ) managed CROSS JOIN im_admin_group_requests record ON ${hasKeyOf("groupRequests", "record", ["groupID"], "managed")}
    WHERE ${isIn(sql`handle_result`, "filter")}`);
