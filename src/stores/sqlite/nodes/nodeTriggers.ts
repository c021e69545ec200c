/** The triggers that keep nodes right when totals change: they split, join, grow and shrink. */
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { isOwnedBy, keyOf } from "./keys.js";
import { listedTable, orderIndex } from "./listNames.js";
import { capacity, levels, type Sizes } from "./nodeTables.js";

/** The triggers on totals and nodes, which are the same for all lists. */
export function nodeTriggers(sizes: Sizes): SchemaObject[] {
  const full = perLevel(levels.map((level) => [level, capacity(sizes, level)]));
  const sparse = perLevel(levels.map((level) => [level, Math.floor(capacity(sizes, level) / 4)]));
  const outgrown = perLevel(levels.map((level) => [level - 1, capacity(sizes, level)]));
  const isFull = sql`NEW.total > ${full("NEW.level", "NEW.total")}`;
  const isSparse = sql`NEW.total < ${sparse("NEW.level", "0")}`;
  const grows = sql`NEW.total > ${outgrown("NEW.height", "NEW.total")}`;
  const lasting = lists.filter(({ isLasting }) => isLasting).map(({ name }) => `'${name}'`);
  const few = `(CASE WHEN NEW.owner = '' OR NEW.name IN (${lasting}) THEN 0 ELSE ${Math.floor(sizes.uncounted / 2)} END)`;
  const shrinks = sql`NEW.total < ${sparse("NEW.height", few)}`;
  const ofLevel = sql`list = NEW.list AND level = NEW.level`;
  const following = sql`
    SELECT start FROM im_admin_list_nodes WHERE ${ofLevel} AND start > NEW.start ORDER BY start LIMIT 1`;
  const half = Math.floor(sizes.leaf / 2);

  /** The key at which a leaf is split, and the number of its rows from there on. */
  const middleOfLeaf = (list: ListDefinition) => sql`
    SELECT ${keyOf(list)} AS start, NEW.total - ${literal(half)} AS following
      FROM im_admin_lists CROSS JOIN ${listedTable(list)} INDEXED BY ${name(orderIndex(list))}
        ON ${isOwnedBy(list, sql`im_admin_lists.owner`)} AND ${keyOf(list)} >= NEW.start
      WHERE im_admin_lists.id = NEW.list AND im_admin_lists.name = ${literal(list.name)}
      ORDER BY ${keyOf(list)} LIMIT 1 OFFSET ${literal(half)}`;
  /** The child after which half of the rows come. x'' is the end, since no text is greater than a blob. */
  const middleOfNode = sql`
    SELECT start, following FROM (
      SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM im_admin_list_nodes
        WHERE list = NEW.list AND level = NEW.level - 1
          AND start > NEW.start AND start < coalesce((${following}), x'')
    ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1`;
  const split = (condition: Sql, middle: Sql) => sql`
    INSERT INTO im_admin_list_nodes (list, level, start, total)
      SELECT NEW.list, NEW.level, (CASE WHEN is_new THEN start ELSE NEW.start END),
          (CASE WHEN is_new THEN following ELSE NEW.total - following END)
        FROM (
          ${middle}
        ) CROSS JOIN (SELECT true AS is_new UNION ALL SELECT false)
        WHERE ${isFull} AND ${condition}
      ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total`;

  return [
    trigger({ name: "listsUpdate", event: "AFTER UPDATE", of: ["total"], on: "lists" }, [
      // From the leaves up, because splitting and joining a node reads the level below.
      ...levels.map(
        (level) => sql`
          UPDATE im_admin_list_nodes SET total = total + NEW.total - OLD.total
            WHERE NEW.height >= ${literal(level)} AND list = NEW.id AND level = ${literal(level)} AND start = (
              SELECT start FROM im_admin_list_nodes
                WHERE list = NEW.id AND level = ${literal(level)} AND start <= NEW.changed_key ORDER BY start DESC LIMIT 1)`,
      ),
      // A list that outgrows its nodes gets one larger node that counts all of them, and is split at once.
      sql`
        INSERT INTO im_admin_list_nodes (list, level, start, total)
          SELECT NEW.id, NEW.height + 1, '', NEW.total WHERE ${grows}`,
      sql`
        UPDATE im_admin_list_nodes SET total = total
          WHERE ${grows} AND list = NEW.id AND level = NEW.height + 1`,
      sql`DELETE FROM im_admin_list_nodes WHERE ${shrinks} AND list = NEW.id AND level = NEW.height`,
      sql`DELETE FROM im_admin_lists WHERE ${shrinks} AND id = NEW.id AND NEW.height = 0`,
      sql`
        UPDATE im_admin_lists SET height = NEW.height + (CASE WHEN ${grows} THEN 1 ELSE -1 END)
          WHERE (${grows} OR ${shrinks}) AND id = NEW.id`,
    ]),
    trigger(
      {
        name: "listNodesUpdate",
        event: "AFTER UPDATE",
        of: ["total"],
        on: "listNodes",
        when: sql`${isFull} OR ${isSparse} AND NEW.total >= 0`,
      },
      [
        ...lists.map((list) => split(sql`NEW.level = 1`, middleOfLeaf(list))),
        split(sql`NEW.level > 1`, middleOfNode),
        ...join(ofLevel, isSparse, following, full("NEW.level", "0")),
      ],
    ),
  ];
}

/**
 * A sparse node joins the node before it, or the node after it joins it, if both together are at most half full. A node
 * that starts a larger node stays. An empty node always goes. A node that goes is marked with a total of -1: with
 * recursive_triggers, a trigger may fire for it, and then ignores it.
 */
function join(ofLevel: Sql, isSparse: Sql, following: Sql, full: Sql): Sql[] {
  const startsParent = sql`
    EXISTS (SELECT 1 FROM im_admin_list_nodes parent
      WHERE parent.list = NEW.list AND parent.level = NEW.level + 1 AND parent.start = gone.start)`;
  const isMarked = sql`${ofLevel} AND start IN (NEW.start, (${following})) AND total < 0`;
  return [
    sql`
      INSERT INTO im_admin_list_nodes (list, level, start, total)
        SELECT NEW.list, NEW.level, (CASE WHEN is_gone THEN gone ELSE kept END), (CASE WHEN is_gone THEN -1 ELSE total END)
          FROM (
            SELECT gone.start AS gone, kept.start AS kept, gone.total + kept.total AS total
              FROM im_admin_list_nodes gone CROSS JOIN im_admin_list_nodes kept
                ON kept.list = NEW.list AND kept.level = NEW.level AND kept.start = (
                  SELECT start FROM im_admin_list_nodes
                    WHERE ${ofLevel} AND start < gone.start ORDER BY start DESC LIMIT 1)
              WHERE ${isSparse} AND gone.list = NEW.list AND gone.level = NEW.level
                AND gone.start IN (NEW.start, (${following})) AND gone.start <> '' AND NOT ${startsParent}
                AND gone.total >= 0 AND kept.total >= 0 AND (gone.total = 0 OR gone.total + kept.total <= ${full} / 2)
              ORDER BY gone.start LIMIT 1
          ) CROSS JOIN (SELECT true AS is_gone UNION ALL SELECT false)
          WHERE true
        ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total`,
    // Empty nodes below stayed only because this node started there. Delete them, unless a node between starts there.
    sql`
      DELETE FROM im_admin_list_nodes
        WHERE ${isSparse} AND list = NEW.list AND level < NEW.level AND total = 0
          AND start IN (SELECT start FROM im_admin_list_nodes WHERE ${isMarked})
          AND NOT EXISTS (SELECT 1 FROM im_admin_list_nodes above
            WHERE above.list = NEW.list AND above.start = im_admin_list_nodes.start
              AND above.level > im_admin_list_nodes.level AND above.level < NEW.level AND above.total > 0)`,
    sql`DELETE FROM im_admin_list_nodes WHERE ${isSparse} AND ${isMarked}`,
  ];
}

function perLevel(values: readonly (readonly [level: number, value: number])[]) {
  const cases = values.map(([level, value]) => `WHEN ${level} THEN ${value}`).join(" ");
  return (level: string, otherwise: string) => raw(`(CASE ${level} ${cases} ELSE ${otherwise} END)`);
}
