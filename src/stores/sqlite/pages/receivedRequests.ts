/**
 * Reads the join requests that a manager has received, from the lists of the groups that the user manages. An early
 * page takes one row after the other from these lists. `betweenKeys.ts` finds a late page.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequests, groupRequestsByResult } from "../../lists/groupRequests.js";
import type { ListDefinition } from "../../lists/list.js";
import { hasKeyOf, isOwnedBy, keyOf, partOfOwner } from "../schema/keys.js";
import { isManaging, listedTable, managedGroups, rowsInOrder } from "../schema/listed.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { filteredRows, isIn, type Selection } from "./selections.js";

/** The rows of the managed groups that are selected. */
export interface Selected extends Pick<Selection, "total"> {
  list: ListDefinition;
  /** The definition of `managed`, the lists of the groups that the user manages. */
  managed: Sql;
}

function selected(list: ListDefinition, results: Sql, owner: Sql): Selected {
  return {
    list,
    total: sql`(SELECT coalesce(sum(total), 0) FROM managed)`,
    managed: sql`
      managed (owner, list, total) AS MATERIALIZED (
        SELECT asked.owner, counted.id,
            coalesce(counted.total, (SELECT count(*) FROM ${rowsInOrder(list, "own")} WHERE ${isOwnedBy(list, sql`asked.owner`, "own")}))
          FROM (
            SELECT ${owner} AS owner FROM request
              CROSS JOIN ${listedTable(groupMembers)} member INDEXED BY ${name(managedGroups)}
                ON member.user_id = request.owner AND member.${isManaging}${results}
          ) asked
            LEFT JOIN im_admin_lists counted ON counted.name = ${literal(list.name)} AND counted.owner = asked.owner
      )`,
  };
}

/** All requests. */
export const received = selected(groupRequests, sql``, sql`member.group_id`);

/** The requests with some results, of which the filter has none twice. */
export const withResults = selected(
  groupRequestsByResult,
  sql` CROSS JOIN json_each(request.filter) result`,
  partOfOwner(sql`member.group_id`, sql`result.value`),
);

/**
 * Takes one row after the other, each time the first one of all lists. So the cost grows with the number of rows to
 * skip.
 */
export function oneByOne({ list, managed, total }: Selected): Selection {
  const key = keyOf(list, "own");
  const nextKey = keyOf(list, "next");
  /** The first row of a list after a key. */
  const nextOf = (source: Sql, after: Sql) => sql`
    ${rowsInOrder(list, "next")} ON ${isOwnedBy(list, sql`${source}.owner`, "next")} AND ${nextKey} = (
      SELECT ${key} FROM ${rowsInOrder(list, "own")}
        WHERE ${isOwnedBy(list, sql`${source}.owner`, "own")} AND ${key} ${after} ORDER BY ${key} LIMIT 1)`;
  const row = (source: Sql) => sql`${nextKey}, next.group_id, next.user_id, ${source}.owner`;
  return {
    looksAt: "lists",
    total,
    definitions: [
      managed,
      sql`
        merged (key, group_id, user_id, owner) AS (
          SELECT ${row(raw("managed"))} FROM managed CROSS JOIN ${nextOf(raw("managed"), sql`>= ''`)}
          UNION ALL
          SELECT ${row(raw("merged"))} FROM merged CROSS JOIN ${nextOf(raw("merged"), sql`> merged.key`)}
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
