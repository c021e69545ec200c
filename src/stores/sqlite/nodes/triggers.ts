/** The triggers that keep nodes right when totals change: they split, join, grow and shrink. */
import { lists } from "../../lists/index.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { literal, raw, sql } from "../sql.js";
import { countTrigger, splitTrigger } from "./listTriggers.js";
import { capacity, levels, type Sizes } from "./tables.js";

/** The triggers on what is kept, which are the same for all lists. */
export function nodeTriggers(sizes: Sizes): SchemaObject[] {
  const full = perLevel(levels.map((level) => [level, capacity(sizes, level)]));
  const sparse = perLevel(levels.map((level) => [level, Math.floor(capacity(sizes, level) / 4)]));
  const outgrown = perLevel(levels.map((level) => [level - 1, capacity(sizes, level)]));
  const isFull = sql`NEW.total > ${full("NEW.level", "NEW.total")}`;
  const isSparse = sql`NEW.total < ${sparse("NEW.level", "0")}`;
  const grows = sql`total > ${outgrown("height", "total")}`;
  const shrinks = sql`total < ${sparse("height", String(Math.floor(sizes.uncounted / 2)))}`;
  const isLevel = (row: string) => sql`list = ${raw(row)}.list AND level = ${raw(row)}.level`;
  const following = sql`
    SELECT start FROM im_admin_list_nodes WHERE ${isLevel("NEW")} AND start > NEW.start ORDER BY start LIMIT 1`;
  const startsParent = (row: string) => sql`
    EXISTS (SELECT 1 FROM im_admin_list_nodes parent
      WHERE parent.list = ${raw(row)}.list AND parent.level = ${raw(row)}.level + 1 AND parent.start = ${raw(row)}.start)`;
  const previous = (row: string) => sql`
    SELECT start FROM im_admin_list_nodes WHERE ${isLevel(row)} AND start < ${raw(row)}.start ORDER BY start DESC LIMIT 1`;

  return [
    trigger({ name: "listsUpdate", event: "AFTER UPDATE", of: ["total"], on: "lists" }, [
      // From the leaves up, because a node that is split or merged looks at the level below.
      ...levels.map(
        (level) => sql`
          UPDATE im_admin_list_nodes SET total = total + NEW.total - OLD.total
            WHERE NEW.height >= ${literal(level)} AND list = NEW.id AND level = ${literal(level)} AND start = (
              SELECT start FROM im_admin_list_nodes
                WHERE list = NEW.id AND level = ${literal(level)} AND start <= NEW.changed_key ORDER BY start DESC LIMIT 1)`,
      ),
      sql`INSERT INTO im_admin_resize_list (id) VALUES (NEW.id)`,
    ]),
    trigger(
      {
        name: "resizeListInsert",
        event: "INSTEAD OF INSERT",
        on: "resizeList",
        when: sql`(SELECT ${grows} OR ${shrinks} FROM im_admin_lists WHERE id = NEW.id)`,
      },
      [
        // A list that outgrows its nodes gets one larger node that counts them all, and is split at once.
        sql`
          INSERT INTO im_admin_list_nodes (list, level, start, total)
            SELECT id, height + 1, '', total FROM im_admin_lists WHERE id = NEW.id AND ${grows}`,
        sql`
          UPDATE im_admin_list_nodes SET total = total
            WHERE (list, level) IN (SELECT id, height + 1 FROM im_admin_lists WHERE id = NEW.id)`,
        sql`
          DELETE FROM im_admin_list_nodes
            WHERE (list, level) IN (SELECT id, height FROM im_admin_lists WHERE id = NEW.id AND ${shrinks})`,
        sql`DELETE FROM im_admin_lists WHERE id = NEW.id AND height = 0 AND ${shrinks}`,
        sql`UPDATE im_admin_lists SET height = height + CASE WHEN ${grows} THEN 1 ELSE -1 END WHERE id = NEW.id`,
      ],
    ),
    ...lists.map((list) => countTrigger(list, sizes)),

    trigger(
      {
        name: "listNodesUpdate",
        event: "AFTER UPDATE",
        of: ["total"],
        on: "listNodes",
        when: sql`${isFull} OR ${isSparse}`,
      },
      [
        sql`
          INSERT INTO im_admin_split_leaf (list, start, total)
            SELECT NEW.list, NEW.start, NEW.total WHERE NEW.level = 1 AND ${isFull}`,
        // A larger node is split at the child that half of the entries come after. No text is greater than a blob.
        sql`
          INSERT INTO im_admin_list_nodes (list, level, start, total) SELECT NEW.list, NEW.level, start, following FROM (
            SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM im_admin_list_nodes
              WHERE NEW.level > 1 AND ${isFull} AND list = NEW.list AND level = NEW.level - 1
                AND start > NEW.start AND start < coalesce((${following}), x'')
          ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1`,
        // A sparse node joins the one before it, and the one after joins it, within their parent. Where it is empty, it
        // goes and the one after stays, since the one before may be full.
        sql`
          DELETE FROM im_admin_list_nodes
            WHERE ${isSparse} AND ${isLevel("NEW")} AND start IN (NEW.start, (${following})) AND start <> ''
              AND NOT ${startsParent("im_admin_list_nodes")}
              AND (start = NEW.start OR NEW.total > 0 OR NEW.start = '' OR ${startsParent("NEW")})
              AND (total = 0 OR ${full("NEW.level", "0")} / 2 >= total + (
                SELECT total FROM im_admin_list_nodes previous
                  WHERE previous.list = im_admin_list_nodes.list AND previous.level = im_admin_list_nodes.level
                    AND previous.start < im_admin_list_nodes.start ORDER BY start DESC LIMIT 1))`,
      ],
    ),
    ...lists.map((list) => splitTrigger(list, sizes)),
    // A new node takes its entries from the one before it, and one that goes gives them back.
    trigger({ name: "listNodesInsert", event: "AFTER INSERT", on: "listNodes", when: sql`NEW.start <> ''` }, [
      sql`
        UPDATE im_admin_list_nodes SET total = total - NEW.total
          WHERE ${isLevel("NEW")} AND start = (${previous("NEW")})`,
    ]),
    trigger({ name: "listNodesDelete", event: "AFTER DELETE", on: "listNodes" }, [
      sql`
        UPDATE im_admin_list_nodes SET total = total + OLD.total
          WHERE ${isLevel("OLD")} AND start = (${previous("OLD")})`,
      // Empty nodes below were only kept because this one started there, unless one between them does.
      sql`
        DELETE FROM im_admin_list_nodes
          WHERE list = OLD.list AND level < OLD.level AND start = OLD.start AND start <> '' AND total = 0
            AND NOT EXISTS (SELECT 1 FROM im_admin_list_nodes above
              WHERE above.list = OLD.list AND above.start = OLD.start
                AND above.level > im_admin_list_nodes.level AND above.level < OLD.level AND above.total > 0)`,
    ]),
  ];
}

function perLevel(values: readonly (readonly [level: number, value: number])[]) {
  const cases = values.map(([level, value]) => `WHEN ${level} THEN ${value}`).join(" ");
  return (level: string, otherwise: string) => raw(`CASE ${level} ${cases} ELSE ${otherwise} END`);
}
