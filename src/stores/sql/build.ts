/** Builds what the database keeps for the lists from the rows of its tables: faster than the triggers, row by row. */
import { capacity, levels, listTables, nodeTriggers, type Sizes } from "./countedLists.js";
import { type Definition, definitions, type ListName } from "./definitions.js";
import { documentTables, documentTriggers, insertDocuments, searchedLists } from "./documents.js";
import { created, quoted } from "./text.js";
import { managersIndex, replacedTables, selectEntries, upkeepTriggers } from "./upkeep.js";

/** All triggers that keep the lists. */
export function listTriggers(sizes: Sizes): string[] {
  return [...nodeTriggers(sizes), ...documentTriggers(sizes), ...upkeepTriggers];
}

/** The tables that keep the lists. */
export const keptTables = [...listTables, ...documentTables, ...replacedTables, managersIndex];

/** Leaves the tables alone from now on. */
export function dropTriggers(sizes: Sizes): string[] {
  return listTriggers(sizes).map(drop);
}

/** Drops whatever of it there is, also where parts are missing. */
export function dropKept(sizes: Sizes): string[] {
  return [...dropTriggers(sizes), ...keptTables.map(drop).reverse()];
}

function drop(create: string): string {
  const { kind, name } = created(create);
  return `DROP ${kind} IF EXISTS ${name}`;
}

/** The lists that are made of tables, directly or through the texts that are searched. */
export function listsOf(tables: Iterable<string>): ListName[] {
  const names = new Set(tables);
  const isSearched = (name: ListName) => names.has("users") && searchedLists.includes(name);
  return definitions
    .filter(({ name, tables }) => Object.values(tables).some((table) => names.has(table)) || isSearched(name))
    .map(({ name }) => name);
}

/** Builds lists anew; the triggers must have been dropped. */
export function buildLists(sizes: Sizes, names: readonly ListName[] = definitions.map(({ name }) => name)): string[] {
  if (names.length === 0) return [];
  const built = `name IN (${quoted(names)})`;
  const ofBuilt = names.length === definitions.length ? "" : ` WHERE list IN (SELECT id FROM lists WHERE ${built})`;
  const searched = searchedLists.filter((name) => names.includes(name));
  return [
    ...["listEntries", "listNodes", "listDocuments"].map((table) => `DELETE FROM ${table}${ofBuilt}`),
    `DELETE FROM lists WHERE ${built}`,
    ...replacedTables.map((create) => `DELETE FROM ${created(create).name}`),
    ...definitions.filter(({ name }) => names.includes(name)).flatMap(buildEntries),
    ...buildNodes(sizes, built),
    ...(searched.length > 0 ? buildDocuments(sizes, searched) : []),
  ];
}

function buildEntries(definition: Definition): string[] {
  const { name, owner, key, item } = definition;
  const entries = selectEntries(definition, `${owner} AS owner, ${key} AS key, ${item} AS item`);
  return [
    `INSERT INTO lists (name, owner, total)
      ${selectEntries(definition, `'${name}', ${owner} AS owner, count(*)`)} GROUP BY owner ORDER BY owner`,
    // In the order of the table that they are written to.
    `INSERT INTO listEntries (list, key, item) SELECT lists.id, key, item FROM (${entries}) entry
      CROSS JOIN lists ON lists.name = '${name}' AND lists.owner = entry.owner ORDER BY 1, 2`,
  ];
}

function buildDocuments({ searched }: Sizes, names: readonly ListName[]): string[] {
  const large = `total > ${searched} AND name IN (${quoted(names)})`;
  return [
    `UPDATE lists SET searched = 1 WHERE ${large}`,
    insertDocuments(`list IN (SELECT id FROM lists WHERE ${large})`),
    "INSERT INTO listTrigrams (listTrigrams) VALUES ('rebuild')",
    "INSERT INTO listGrams (listGrams) VALUES ('rebuild')",
  ];
}

/** Nodes that are three quarters full, so that neither the next insert splits them nor the next delete merges them. */
function buildNodes(sizes: Sizes, built: string): string[] {
  const leaf = Math.floor((sizes.leaf * 3) / 4);
  const height = levels.map((level) => `WHEN total <= ${capacity(sizes, level)} THEN ${level - 1}`).join(" ");
  return [
    `UPDATE lists SET height = CASE ${height} ELSE ${levels.length} END WHERE total > ${sizes.leaf} AND ${built}`,
    // Steps from one start to the next.
    `INSERT INTO listNodes (list, level, start, total)
      WITH RECURSIVE leaves (list, total, position, start) AS (
        SELECT id, total, 0, '' FROM lists WHERE height > 0 AND ${built}
        UNION ALL
        SELECT list, total, position + ${leaf}, (SELECT key FROM listEntries entry
          WHERE entry.list = leaves.list AND entry.key >= leaves.start ORDER BY key LIMIT 1 OFFSET ${leaf})
        FROM leaves WHERE position + ${leaf} < total
      ) SELECT list, 1, start, min(${leaf}, total - position) FROM leaves`,
    ...levels.slice(1).map(
      (level) => `INSERT INTO listNodes (list, level, start, total)
      SELECT list, ${level}, min(start), sum(total) FROM (
        SELECT list, start, node.total, (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / ${sizes.fanout} AS parent
        FROM lists CROSS JOIN listNodes node ON node.list = lists.id AND node.level = ${level - 1}
        WHERE lists.height > 0 AND lists.height >= ${level} AND ${built}
      ) GROUP BY list, parent`,
    ),
  ];
}
