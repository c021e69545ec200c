/** Sets aside what is kept for the lists while many records are written, and makes it from the rows at the end. */
import type { RecordName } from "../../../records.js";
import { buildNodes, dropIndexes, forgetSmallLists, indexesOf } from "../nodes/build.js";
import { type Listed, listed, managersIndex } from "../nodes/listed.js";
import { listedName } from "../nodes/names.js";
import { upsertListed } from "../nodes/recordTriggers.js";
import type { Sizes } from "../nodes/tables.js";
import { keepingTriggers, noSources } from "../schema/schema.js";
import { drop } from "../schema/schemaObject.js";
import { buildDocuments, dropDocuments, renewDocuments } from "../search/build.js";
import { applyChanges, documentTriggers } from "../search/triggers.js";
import { all, join, name, names, our, type Sql, sql } from "../sql.js";

/** The listed tables that records are in. */
export function listedFrom(records: ReadonlySet<RecordName>): Listed[] {
  const hasMembers = records.has("groupMembers");
  // Join requests are listed for the managers of their groups.
  return listed.filter(({ record }) => records.has(record) || (record === "groupRequests" && hasMembers));
}

/** Leaves the tables of records alone from now on. */
export function setAside(sizes: Sizes, sources = noSources): Sql[] {
  return keepingTriggers(sizes, sources).map(drop);
}

/** Makes everything right again that depends on some records. */
export function build(sizes: Sizes, records: ReadonlySet<RecordName>, sources = noSources): Sql[] {
  const built = listedFrom(records);
  const lists = built.flatMap((table) => table.lists);
  return [
    ...dropIndexes(lists),
    ...built.flatMap(buildListed),
    ...indexesOf(lists).map((index) => index.sql),
    ...buildNodes(sizes, lists),
    ...(records.has("users") || records.has("groupMembers") ? buildSearch(sizes) : []),
    forgetSmallLists,
    ...keepingTriggers(sizes, sources).map((trigger) => trigger.sql),
  ];
}

/** Members keep their numbers, of which the documents are made. */
function buildListed(table: Listed): Sql[] {
  const { key, rows } = table;
  const own = our(listedName(table.table));
  const isNumbered = table.table === "groupMembers";
  return [
    ...(isNumbered ? [drop(managersIndex)] : []),
    sql`DELETE FROM ${own} WHERE (${names(key)}) NOT IN (SELECT ${names(key)} FROM (${rows(all([]))}))`,
    sql`
      ${upsertListed(table, sql`SELECT * FROM (${rows(all([]))}) WHERE true ORDER BY ${join(key.map(name))}`)}`,
    ...(isNumbered ? [managersIndex.sql] : []),
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
