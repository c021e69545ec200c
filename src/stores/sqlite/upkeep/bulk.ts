/** Sets aside what is kept for the lists while many records are written, and makes it from the rows at the end. */
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { buildNodes, dropIndexes, forgetSmallLists, indexesOf } from "../nodes/build.js";
import { type Sizes, watchedTables } from "../nodes/tables.js";
import { buildReceived } from "../received/build.js";
import { keepingTriggers } from "../schema/schema.js";
import { drop } from "../schema/schemaObject.js";
import { buildDocuments, dropDocuments, renewDocuments } from "../search/build.js";
import { applyChanges, documentTriggers } from "../search/triggers.js";
import { our, type Sql, sql } from "../sql.js";

const isDerived = ({ table }: ListDefinition) => table === "receivedGroupRequests";

/** The lists that records of some tables are in. */
export function listsOf(tables: ReadonlySet<string>): ListDefinition[] {
  return lists.filter((list) =>
    isDerived(list) ? tables.has("groupRequests") || tables.has("groupMembers") : tables.has(list.table),
  );
}

/** Leaves the tables of records alone from now on. */
export function setAside(sizes: Sizes): Sql[] {
  return keepingTriggers(sizes).map(drop);
}

/** Makes everything right again that depends on some tables, of which some have no indexes. */
export function build(sizes: Sizes, tables: ReadonlySet<string>, withoutIndexes: ReadonlySet<string>): Sql[] {
  const built = listsOf(tables);
  const derived = built.filter(isDerived);
  const missing = built.filter((list) => isDerived(list) || withoutIndexes.has(list.table));
  return [
    ...(derived.length > 0 ? [...dropIndexes(derived), ...buildReceived] : []),
    ...indexesOf(missing).map((index) => index.sql),
    ...buildNodes(sizes, built),
    ...(tables.has("users") || tables.has("groupMembers") ? buildSearch(sizes) : []),
    forgetSmallLists,
    ...watchedTables.map(({ before }) => sql`DELETE FROM ${our(before)}`),
    ...keepingTriggers(sizes).map((trigger) => trigger.sql),
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
