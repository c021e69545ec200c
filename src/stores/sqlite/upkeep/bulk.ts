/** Bulk writes: drops the triggers that keep the lists, and builds the kept data from the rows at the end. */
import type { RecordName } from "../../../records.js";
import { buildNodes, dropIndexes, indexesOf } from "../nodes/buildNodes.js";
import { type Listed, listed, managedIndex } from "../nodes/listedRows.js";
import { listedName } from "../nodes/listNames.js";
import type { Sizes } from "../nodes/nodeTables.js";
import { upsertListed } from "../nodes/recordTriggers.js";
import { keepingTriggers, noSources } from "../schema/schema.js";
import { drop } from "../schema/schemaObject.js";
import { buildDocuments, dropDocuments, renewDocuments } from "../search/buildDocuments.js";
import { applyChanges, documentTriggers } from "../search/documentTriggers.js";
import { all, join, name, names, our, type Sql, sql } from "../sql.js";

/** The tables of listed rows that depend on some kinds of records. */
export function listedFromAny(records: ReadonlySet<RecordName>): Listed[] {
  const hasMembers = records.has("groupMembers");
  // Join requests are listed for the managers of their groups, so they depend on members too.
  return listed.filter(({ record }) => records.has(record) || (record === "groupRequests" && hasMembers));
}

/** Drops the triggers on the tables of records. */
export function setAside(sizes: Sizes, sources = noSources): Sql[] {
  return keepingTriggers(sizes, sources).map(drop);
}

/** Builds all kept data again that depends on some kinds of records. */
export function build(sizes: Sizes, records: ReadonlySet<RecordName>, sources = noSources): Sql[] {
  const built = listedFromAny(records);
  return [
    // The tables are built one by one: the totals of groups decide which managers get copies of join requests.
    ...built.flatMap((table) => [
      ...dropIndexes(table.lists),
      ...buildListed(table),
      ...indexesOf(table.lists).map((index) => index.sql),
      ...buildNodes(sizes, table.lists),
    ]),
    ...(records.has("users") || records.has("groupMembers") ? buildSearch(sizes) : []),
    ...keepingTriggers(sizes, sources).map((trigger) => trigger.sql),
  ];
}

/** Builds listed rows. Members keep their numbers, from which the ids of documents are made. */
function buildListed(table: Listed): Sql[] {
  const { key, rows } = table;
  const own = our(listedName(table.table));
  const isNumbered = table.table === "groupMembers";
  return [
    ...(isNumbered ? [drop(managedIndex)] : []),
    sql`DELETE FROM ${own} WHERE (${names(key)}) NOT IN (SELECT ${names(key)} FROM (${rows(all([]))}))`,
    sql`
      ${upsertListed(table, sql`SELECT * FROM (${rows(all([]))}) WHERE true ORDER BY ${join(key.map(name))}`)}`,
    ...(isNumbered ? [managedIndex.sql] : []),
  ];
}

function buildSearch(sizes: Sizes): Sql[] {
  return [
    ...dropDocuments(sizes),
    ...applyChanges,
    ...documentTriggers.map(drop),
    ...buildDocuments(sizes),
    ...documentTriggers.map((trigger) => trigger.sql),
    ...renewDocuments(sizes),
  ];
}
