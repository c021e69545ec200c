/** What changed keys lead to in the lists of one kind of records. */
import type { RecordName } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition } from "../../lists/list.js";
import { hasKeyOf, isInList, isOwnedBy, keyOf, ownerOf } from "../schema/keys.js";
import { type Listed, listedOf, listedTable, rightRows, rowsInOrder } from "../schema/listed.js";
import { type Sizes, uncountedOf } from "../schema/sizes.js";
import { all, columnsOf, join, literal, name, names, our, type Sql, sql } from "../sql.js";
import { changedKeys, sameKey } from "./changedKeys.js";
import { allLevels, isUnfitList, isUnfitNode } from "./fitness.js";
import { editWords, hasWords, startOfLeaf } from "./words.js";

/** A SELECT of the rows that should be listed of the changed keys. A host's table may have several rows of one key. */
function changedRows(listed: Listed, changed: readonly string[] = listed.key): Sql {
  const { table, key, fields } = listed;
  const records = sql`changed CROSS JOIN ${our(table)} source ON ${hasKeyOf(table, "source", changed, "changed")}`;
  return sql`
    SELECT ${join([...key.map(name), ...fields.map((field) => sql`max(${name(field)})`)])} FROM (
      ${rightRows(listed, records)}
    ) GROUP BY ${names(key)}`;
}

/** The definitions of `changed` and `moved`: rows that go (-1) or come (1). A row that is as it was is both. */
function movedRows(listed: Listed, changed: readonly string[] = listed.key): Sql {
  const { table, key, fields } = listed;
  return sql`
    ${changedKeys(table, changed)},
    moved (${names([...key, ...fields])}, change) AS MATERIALIZED (
      SELECT ${columnsOf("old", [...key, ...fields])}, -1
        FROM changed CROSS JOIN ${listedTable(listed)} old ON ${sameKey(changed, "old", "changed")}
      UNION ALL
      SELECT *, 1 FROM (
        ${changedRows(listed, changed)}
      )
    )`;
}

/** The same, and `differing`: those that are not as they were. */
function differingRows(listed: Listed, changed?: readonly string[]): Sql {
  const columns = names([...listed.key, ...listed.fields]);
  return sql`
    ${movedRows(listed, changed)},
    differing (${columns}, change) AS MATERIALIZED (
      SELECT ${columns}, sum(change) FROM moved GROUP BY ${columns} HAVING sum(change) <> 0
    )`;
}

/** The moved rows, and their places in all lists. */
function movedPlaces(listed: Listed): Sql {
  return sql`
    ${movedRows(listed)},
    places (list, owner, key, change) AS (
      ${join(
        listed.lists.map(
          (list) => sql`
            SELECT ${literal(list.name)}, ${ownerOf(list)}, ${keyOf(list)}, change FROM moved WHERE ${all(isInList(list))}`,
        ),
        "\nUNION ALL\n",
      )}
    )`;
}

/** Counts the rows that come and go in the totals of their lists. */
function countInLists(listed: Listed, sizes: Sizes): Sql {
  return sql`
    INSERT INTO im_admin_lists (id, name, owner, total, height, is_unfit)
      WITH ${movedPlaces(listed)}
      SELECT id, name, owner, total, height, ${isUnfitList(sizes)} FROM (
        SELECT list.id, list.name, list.owner, list.total + sums.change AS total, list.height FROM (
          SELECT list, owner, sum(change) AS change FROM places GROUP BY list, owner HAVING sum(change) <> 0
        ) sums CROSS JOIN im_admin_lists list ON list.name = sums.list AND list.owner = sums.owner
      ) WHERE true
      ON CONFLICT (id) DO UPDATE SET total = excluded.total, is_unfit = excluded.is_unfit`;
}

/** Counts them in the nodes of their lists, on all levels. */
function countInNodes(listed: Listed, sizes: Sizes): Sql {
  return sql`
    INSERT INTO im_admin_list_nodes (list, level, start, total, is_unfit)
      WITH ${movedPlaces(listed)}
      SELECT list, level, start, total, ${isUnfitNode(sizes)} FROM (
        SELECT node.list, node.level, node.start, node.total + sums.change AS total FROM (
          SELECT list.id AS list, levels.level, (
              SELECT max(start) FROM im_admin_list_nodes node
                WHERE node.list = list.id AND node.level = levels.level AND node.start <= places.key
            ) AS start, sum(places.change) AS change
            FROM places CROSS JOIN im_admin_lists list ON list.name = places.list AND list.owner = places.owner
              CROSS JOIN ${allLevels} levels ON levels.level <= list.height
            GROUP BY 1, 2, 3 HAVING sum(places.change) <> 0
        ) sums CROSS JOIN im_admin_list_nodes node
          ON node.list = sums.list AND node.level = sums.level AND node.start = sums.start
      ) WHERE true
      ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total, is_unfit = excluded.is_unfit`;
}

function deleteRows(listed: Listed): Sql {
  const { table, key } = listed;
  const own = listedTable(listed);
  return sql`
    DELETE FROM ${own} WHERE (${names(key)}) IN (
        WITH ${changedKeys(table)}
        SELECT ${names(key)} FROM changed
      ) AND NOT EXISTS (
      ${rightRows(listed, sql`${our(table)} source`, hasKeyOf(table, "source", key, own.text))})`;
}

/** Inserts listed rows, and updates existing ones only if they have changed. */
export function upsertRows(listed: Listed, rows: Sql): Sql {
  const { key, fields } = listed;
  return sql`
    INSERT INTO ${listedTable(listed)} (${names([...key, ...fields])})
      ${rows}
      ON CONFLICT (${names(key)}) DO UPDATE
        SET ${join(fields.map((field) => sql`${name(field)} = excluded.${name(field)}`))}
        WHERE ${join(
          fields.map((field) => sql`${name(field)} <> excluded.${name(field)}`),
          " OR ",
        )}`;
}

/** Gives a total to each list that has outgrown a few rows. */
function startLists(listed: Listed, sizes: Sizes): Sql {
  const started = listed.lists.map((list) => {
    // What divides lists stands in the rows that have come.
    const rows =
      list.dividedBy === undefined
        ? sql`changed`
        : sql`changed CROSS JOIN ${listedTable(listed)} own ON ${sameKey(listed.key, "own", "changed")}`;
    const owned = sql`${rowsInOrder(list)} WHERE ${isOwnedBy(list, sql`owners.owner`)}`;
    return sql`
      SELECT ${literal(list.name)} AS name, owner, (SELECT count(*) FROM ${owned}) AS total, 0 AS height
        FROM (SELECT DISTINCT ${ownerOf(list, list.dividedBy && "own")} AS owner FROM ${rows}) owners
        WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = ${literal(list.name)} AND owner = owners.owner)
          AND EXISTS (SELECT 1 FROM ${owned} LIMIT 1 OFFSET ${literal(uncountedOf(sizes, list))})`;
  });
  return sql`
    INSERT INTO im_admin_lists (name, owner, total, is_unfit)
      WITH ${changedKeys(listed.table)}
      SELECT name, owner, total, ${isUnfitList(sizes)} FROM (
        ${join(started, "\nUNION ALL\n")}
      )`;
}

/** The statements that bring the lists of one kind of records up to date. */
interface ListedChanges {
  /**
   * Asks whether rows come or go, and whether any of them has another place. An engine that answers at once runs only the
   * statements that are needed.
   */
  ask: Sql;
  /** Count the changes in lists and nodes, by the rows as they were. */
  count: readonly Sql[];
  /** Edit the words of leaves, by the rows as they were. */
  words: readonly Sql[];
  /** For rows that go, also those that get another place. */
  remove: Sql;
  /** For rows that come. */
  add: Sql;
  /** For lists that have become longer. */
  start: Sql;
}

export function listedChanges(listed: Listed, sizes: Sizes): ListedChanges {
  const placed = [...listed.key, ...listed.placing];
  return {
    ask: sql`
      WITH ${differingRows(listed)}
      SELECT coalesce(max(change), 0) > 0 AS come, coalesce(min(change), 0) < 0 AS go,
          EXISTS (SELECT 1 FROM differing GROUP BY ${names(placed)} HAVING sum(change) <> 0) AS move
        FROM differing`,
    count: [countInLists(listed, sizes), countInNodes(listed, sizes)],
    words: listed.lists.filter((list) => list.isSearched).map((list) => editWords(list, differingRows(listed))),
    remove: deleteRows(listed),
    add: upsertRows(listed, sql`WITH ${changedKeys(listed.table)} SELECT * FROM (${changedRows(listed)}) WHERE true`),
    start: startLists(listed, sizes),
  };
}

/**
 * Notes the keys of the records that a kind such as "groupMembers groupID" stands for; nothing for other kinds. Most of
 * the records are as they were, so only those that differ from what is kept count as changed.
 */
export function expandKeys(kind: string): Sql[] {
  const [record, ...fields] = kind.split(" ") as [RecordName, ...string[]];
  const listed = listedOf(record);
  if (listed === undefined || !fields.every((field) => listed.key.includes(field))) return [];
  const [first = literal(""), second = literal("")] = listed.key.map(name);
  return [
    sql`
      INSERT INTO im_admin_changed (kind, first, second)
        WITH ${differingRows(listed, fields)}
        SELECT ${literal(record)}, ${first}, ${second} FROM differing WHERE true
        ON CONFLICT DO NOTHING`,
  ];
}

/**
 * A changed profile makes the words of leaves stale that have its nickname, as the answered one of a member. It stands in
 * no listed row, so that a profile may have any number of short lists.
 */
export const markRenamed: Sql = sql`
  UPDATE im_admin_list_words SET is_stale = 1 WHERE (list, start) IN (
    WITH ${changedKeys("users")}
    ${join(
      lists.filter(({ isSearched, table }) => isSearched && table === "groupMembers").map(leavesOfMembers),
      "\nUNION ALL\n",
    )}
  )`;

/** A SELECT of the leaves of a list of members that have changed profiles. */
function leavesOfMembers(list: ListDefinition): Sql {
  return sql`
    SELECT list.id, ${startOfLeaf(sql`list.id`, keyOf(list, "member"))}
      FROM changed CROSS JOIN ${rowsInOrder(joinedGroups, "member")} ON member.user_id = changed.user_id
        CROSS JOIN im_admin_lists list ON list.name = ${literal(list.name)} AND list.owner = ${ownerOf(list, "member")}
      WHERE ${all([hasWords(sql`list.name`, sql`list.height`), sql`member.nickname = ''`, ...isInList(list, "member")])}`;
}
