/** Builds what the database keeps for the lists from the rows of its tables: faster than the triggers, row by row. */
import { capacity, levels, listTables, nodeTriggers, type Sizes } from "./countedLists.js";
import { definitions } from "./definitions.js";
import { documentTables, documentTriggers, insertDocuments, searchedLists } from "./documents.js";
import { replacedTables, selectEntries, upkeepTriggers } from "./upkeep.js";

/** All triggers that keep the lists. */
export function listTriggers(sizes: Sizes): string[] {
  return [...nodeTriggers(sizes), ...documentTriggers(sizes), ...upkeepTriggers];
}

/** The tables that keep the lists. */
export const keptTables = [...listTables, ...documentTables, ...replacedTables];

/** Leaves the tables alone from now on. */
export function dropTriggers(sizes: Sizes): string[] {
  return listTriggers(sizes).map((sql) => `DROP TRIGGER IF EXISTS ${/CREATE TRIGGER (\w+)/.exec(sql)?.[1]}`);
}

/** Builds all lists anew; the triggers must have been dropped. */
export function buildLists(sizes: Sizes): string[] {
  return [
    "DELETE FROM lists",
    "DELETE FROM listEntries",
    "DELETE FROM listNodes",
    "DELETE FROM listDocuments",
    ...replacedTables.map((sql) => `DELETE FROM ${/CREATE TABLE (\w+)/.exec(sql)?.[1]}`),
    "INSERT INTO listTrigrams (listTrigrams) VALUES ('delete-all')",
    "INSERT INTO listGrams (listGrams) VALUES ('delete-all')",
    ...definitions.flatMap((definition) => {
      const { name, owner, key, item } = definition;
      return [
        `INSERT INTO lists (name, owner, total)
          ${selectEntries(definition, `'${name}', ${owner} AS owner, count(*)`)} GROUP BY owner ORDER BY owner`,
        // In the order of the table that they are written to.
        `INSERT INTO listEntries (list, key, item)
          SELECT lists.id, key, item FROM (${selectEntries(definition, `${owner} AS owner, ${key} AS key, ${item} AS item`)}) entry
          CROSS JOIN lists ON lists.name = '${name}' AND lists.owner = entry.owner ORDER BY 1, 2`,
      ];
    }),
    ...buildNodes(sizes),
    `UPDATE lists SET searched = 1 WHERE total > ${sizes.searched} AND name IN (${searchedLists.map((name) => `'${name}'`)})`,
    insertDocuments("list IN (SELECT id FROM lists WHERE searched)"),
    "INSERT INTO listTrigrams (listTrigrams) VALUES ('rebuild')",
    "INSERT INTO listGrams (listGrams) VALUES ('rebuild')",
  ];
}

/** Nodes that are three quarters full, so that neither the next insert splits them nor the next delete merges them. */
function buildNodes(sizes: Sizes): string[] {
  const leaf = Math.floor((sizes.leaf * 3) / 4);
  const tooSmall = (level: number) => `SELECT id FROM lists WHERE total > ${capacity(sizes, level)}`;
  return levels.flatMap((level) => [
    `UPDATE lists SET height = ${level} WHERE total > ${capacity(sizes, level)}`,
    level === 1
      ? `INSERT INTO listNodes (list, level, start, total)
          SELECT list, 1, iif(position = 0, '', key), min(${leaf}, total - position) FROM (
            SELECT entry.list, entry.key, lists.total,
              row_number() OVER (PARTITION BY entry.list ORDER BY entry.key) - 1 AS position
            FROM lists CROSS JOIN listEntries entry ON entry.list = lists.id WHERE lists.height = 1
          ) WHERE position % ${leaf} = 0`
      : `INSERT INTO listNodes (list, level, start, total)
          SELECT list, ${level}, min(start), sum(total) FROM (
            SELECT list, start, total, (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / ${sizes.fanout} AS parent
            FROM listNodes WHERE level = ${level - 1} AND list IN (${tooSmall(level)})
          ) GROUP BY list, parent`,
  ]);
}
