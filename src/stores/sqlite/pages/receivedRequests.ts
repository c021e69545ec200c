/**
 * Reads the join requests that a manager has received: copies of the requests for groups with few, merged with the
 * lists of the groups with more.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequests, groupRequestsByResult } from "../../lists/groupRequests.js";
import { digitsOf } from "../../lists/keyRanges.js";
import type { ListDefinition } from "../../lists/list.js";
import { receivedGroupRequests, receivedGroupRequestsByResult } from "../../lists/receivedGroupRequests.js";
import { isOwnedBy, keyOf } from "../nodes/keys.js";
import { isManaging, listedTable, managedGroups, orderIndex } from "../nodes/listNames.js";
import { countRanges, listDefinition, type Selection, skipToRange, totalOf } from "../nodes/selections.js";
import { all, literal, name, raw, type Sql, sql } from "../sql.js";

/** Two lists in the same order: the copies of a manager, and the requests for a group. */
interface Order {
  copies: ListDefinition;
  ofGroup: ListDefinition;
}

const byTime: Order = { copies: receivedGroupRequests, ofGroup: groupRequests };
const byResult: Order = { copies: receivedGroupRequestsByResult, ofGroup: groupRequestsByResult };

/** Selects all received requests. */
export const received = merge(
  byTime,
  { total: sql`(SELECT coalesce(sum(total), 0) FROM sources)` },
  { byNodes: sql`skip` },
);

/** Counts the received requests with some results: in the merged sources, or in others. */
function countResults(sources: Sql) {
  return countRanges(receivedGroupRequestsByResult, {
    lists: sources,
    between: (from, to) => between(byResult, from, to),
  });
}

/** Selects the received requests with one result, as a range of keys. */
export const withResult = merge(byResult, countResults(sql`SELECT * FROM sources`), {
  from: sql`(SELECT min(value ->> 0) FROM json_each((SELECT ranges FROM request)))`,
  byNodes: sql`CASE WHEN skip > 0 THEN coalesce(${skipToRange}, (SELECT sum(total) FROM sources), 0) ELSE 0 END`,
  condition: sql`key < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))`,
});

/**
 * Reads all received requests in order, and picks those with the given results. The nodes of the lists that sort by
 * result give their total.
 */
export const withResults = merge(byTime, countResults(sourcesOf(byResult)), {
  further: sql`(SELECT skip FROM request)`,
  condition: sql`
    ${inEither(byTime, (list, rows) => sql`(SELECT handle_result FROM ${rows} AND ${keyOf(list)} = key)`)}
      IN (SELECT value FROM json_each((SELECT results FROM request)))`,
});

/** The manager's copies, and the lists of the groups that the user manages. */
function sourcesOf({ copies, ofGroup }: Order): Sql {
  return sql`
    SELECT * FROM (
      SELECT true AS is_copies, request.owner, list.id, coalesce(list.height, 0) AS height, ${totalOf(copies)} AS length
        FROM request LEFT JOIN list
      UNION ALL
      SELECT false, shared.owner, shared.id, shared.height, shared.total FROM request
        CROSS JOIN ${listedTable(groupMembers)} member INDEXED BY ${name(managedGroups)}
          ON member.user_id = request.owner AND member.${isManaging}
        CROSS JOIN im_admin_lists shared ON shared.name = ${literal(ofGroup.name)} AND shared.owner = member.group_id
    ) WHERE length > 0`;
}

/** A value from the copies or from the list of a group, as the row of `is_copies` and `owner` says. */
function inEither({ copies, ofGroup }: Order, value: (list: ListDefinition, rows: Sql) => Sql): Sql {
  const from = (list: ListDefinition) =>
    value(list, sql`${listedTable(list)} INDEXED BY ${name(orderIndex(list))} WHERE ${isOwnedBy(list, raw("owner"))}`);
  return sql`
    CASE WHEN is_copies
      THEN ${from(copies)}
      ELSE ${from(ofGroup)} END`;
}

/** The number of rows from one key up to, and without, another. */
function between(order: Order, from: Sql, to: Sql): Sql {
  return inEither(
    order,
    (list, rows) => sql`(SELECT count(*) FROM ${rows} AND ${keyOf(list)} >= ${from} AND ${keyOf(list)} < ${to})`,
  );
}

/** The rows to leave out before the page. */
interface Skipped {
  /** The key from which on the first page starts. */
  from?: Sql;
  /** How many rows to skip with the help of nodes. */
  byNodes?: Sql;
  /** How many more rows to skip, of those that meet the condition. */
  further?: Sql;
  /** A condition on further rows, and on those of the page. */
  condition?: Sql;
}

/**
 * Merges the sources from a key `low` on, and skips the rows between `low` and the page. No more rows are before `low`
 * than the page skips: it is the last start of a node with few enough rows in all nodes that start before. The large
 * nodes of level 2 find roughly where that is, and those of level 1 exactly.
 */
function merge(
  order: Order,
  { total, definitions = [listDefinition(order.copies)] }: Pick<Selection, "total"> & Partial<Selection>,
  { from = literal(""), byNodes = literal(0), further = literal(0), condition = all([]) }: Skipped,
): Selection {
  const next = (from: Sql, offset: Sql) =>
    inEither(
      order,
      (list, rows) =>
        sql`(SELECT ${keyOf(list)} FROM ${rows} AND ${keyOf(list)} ${from} ORDER BY 1 LIMIT 1 OFFSET ${offset})`,
    );
  const before = (total: Sql) => sql`
    coalesce(sum(${total}) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before`;
  // The first row needs no nodes.
  const ofList = sql`node.list = CASE WHEN skip > 0 THEN id END`;
  const ofNode = sql`coalesce(node.total, sources.total)`;
  const passed = (level: number, condition: Sql) => sql`
    (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
      WHERE node.list = id AND node.level = ${literal(level)} AND ${condition})`;
  const merging = [
    sql`
      sources (is_copies, owner, id, height, total) AS MATERIALIZED (
        ${sourcesOf(order)}
      )`,
    sql`
      target (skip) AS MATERIALIZED (SELECT ${byNodes} FROM request)`,
    sql`
      roughly AS MATERIALIZED (
        SELECT skip, max(start) FILTER (WHERE before <= skip) AS low,
            coalesce(min(stop) FILTER (WHERE through > skip), x'') AS high
          FROM (
            SELECT *, ${before(sql`total`)}, sum(total) OVER (ORDER BY stop) AS through FROM (
              SELECT skip, coalesce(node.start, '') AS start, ${ofNode} AS total,
                  lead(node.start, 1, x'') OVER (PARTITION BY is_copies, owner ORDER BY node.start) AS stop
                FROM target CROSS JOIN sources LEFT JOIN im_admin_list_nodes node
                  ON ${ofList} AND node.level = 2
            )
          )
      )`,
    sql`
      exactly AS MATERIALIZED (
        SELECT skip, max(start) FILTER (WHERE before <= skip) AS low FROM (
          SELECT *, ${before(sql`total`)} FROM (
            SELECT skip, coalesce(node.start, '') AS start,
                ${ofNode} + CASE WHEN node.start = large THEN ${passed(2, sql`node.start < large`)} ELSE 0 END AS total
              FROM (SELECT *, ${startOfNode(2)} AS large FROM roughly CROSS JOIN sources) sources
                LEFT JOIN im_admin_list_nodes node
                  ON ${ofList} AND node.level = 1 AND node.start >= large AND node.start < high
          )
        )
      )`,
    // A single source is skipped by its index, several one row after the other.
    sql`
      start (low, skipped, further) AS MATERIALIZED (
        SELECT CASE WHEN skip > 0 THEN low ELSE ${from} END, left * is_single, left * (NOT is_single) + ${further} FROM (
          SELECT skip, low, count(*) = 1 AS is_single, skip - sum(
              ${passed(2, sql`node.start < large`)}
                + ${passed(1, sql`node.start >= large AND node.start < leaf`)}
                + ${between(order, sql`leaf`, sql`low`)}) AS left
            FROM (SELECT *, ${startOfNode(2)} AS large, ${startOfNode(1)} AS leaf FROM exactly CROSS JOIN sources)
        )
      )`,
    sql`
      merged (is_copies, owner, key) AS (
        SELECT is_copies, owner, ${next(sql`>= low`, sql`(SELECT skipped FROM start)`)} FROM start CROSS JOIN sources
        UNION ALL
        SELECT is_copies, owner, ${next(sql`> merged.key`, literal(0))} FROM merged WHERE key IS NOT NULL
        ORDER BY 3
      )`,
    sql`
      found AS MATERIALIZED (
        SELECT * FROM merged WHERE key IS NOT NULL AND ${condition}
          LIMIT (SELECT CASE WHEN skip < ${total} THEN size ELSE 0 END FROM request)
          OFFSET (SELECT coalesce(further, 0) FROM start)
      )`,
  ];
  // The key has numbers, the group, a separator and the user.
  const start = order.copies.order.reduce((place, { field }) => place + String(digitsOf(field) ?? "").length, 1);
  return {
    total,
    definitions: [...definitions, ...merging],
    page: sql`
      SELECT CAST(substr(key, ${literal(start)}, separator - ${literal(start)}) AS TEXT) AS group_id,
          CAST(substr(key, separator + 1) AS TEXT) AS user_id, key
        FROM (SELECT CAST(key AS BLOB) AS key, instr(CAST(key AS BLOB), x'00') AS separator FROM found)`,
  };
}

/** The start of the node of a list that has the key `low`. */
function startOfNode(level: number): Sql {
  return sql`
    coalesce((SELECT max(start) FROM im_admin_list_nodes above
      WHERE above.list = id AND above.level = ${literal(level)} AND above.start <= low), '')`;
}
