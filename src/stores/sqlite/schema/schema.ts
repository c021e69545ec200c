/** All that a database of ours has: what is made first stands first. */

import { type RecordName, recordNames } from "../../../records.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { giveBack, receive, withdraw } from "../nodes/copies.js";
import { keyOf } from "../nodes/keys.js";
import { listed, listedTableObjects, managedIndex, orderIndexes } from "../nodes/listedRows.js";
import { type FurtherStatements, listedTriggers } from "../nodes/listedTriggers.js";
import { isManaging } from "../nodes/listNames.js";
import { nodeTables, type Sizes } from "../nodes/nodeTables.js";
import { nodeTriggers } from "../nodes/nodeTriggers.js";
import { recordTriggers } from "../nodes/recordTriggers.js";
import type { RecordSource } from "../records/recordSource.js";
import { recordTables } from "../records/recordTables.js";
import { searchTables } from "../search/documentTables.js";
import {
  applyChangesTrigger,
  documentTriggers,
  forgetDocument,
  listsDocuments,
  search,
} from "../search/documentTriggers.js";
import { sql } from "../sql.js";
import { lastImportTable } from "../upkeep/lastImport.js";
import { mapTable, mapTrigger, replacedTable } from "./mapTable.js";
import type { SchemaObject } from "./schemaObject.js";

/** Updates what depends on a listed member or join request, beside its lists. */
const furtherOfListed: FurtherStatements = (table, event) => {
  if (table === "groupRequests" && event === "INSERT") return [withdraw];
  if (table !== "groupMembers") return [];
  const hasMoved = sql`${keyOf(groupMembers, "OLD")} <> ${keyOf(groupMembers, "NEW")}`;
  switch (event) {
    case "INSERT":
      return [receive];
    case "UPDATE":
      return [forgetDocument(hasMoved), giveBack(sql`NOT NEW.${isManaging}`), receive];
    case "DELETE":
      return [forgetDocument(sql`true`), giveBack(sql`true`)];
  }
};

/** What gives records in the place of im-admin's own tables. */
export type Sources = ReadonlyMap<RecordName, RecordSource>;

/** All records are in im-admin's own tables. */
export const noSources: Sources = new Map();

/** The triggers on the tables of records, and on what they lead to. */
export function keepingTriggers(sizes: Sizes, sources = noSources): SchemaObject[] {
  const own = recordNames.filter((record) => !sources.has(record));
  return [
    ...nodeTriggers(sizes),
    ...listed.flatMap((table) => listedTriggers(table, sizes, furtherOfListed)),
    ...own.flatMap((record) => recordTriggers(record, search)),
    ...[...sources.values()].flatMap(({ triggers }) => triggers),
    applyChangesTrigger(sizes),
    mapTrigger,
    listsDocuments(sizes),
  ];
}

/** The parts that hold what is kept for the lists. */
export const keptParts: readonly SchemaObject[] = [
  ...listedTableObjects,
  managedIndex,
  ...nodeTables,
  ...orderIndexes,
  ...searchTables,
  replacedTable,
];

/** Tables of what is noted nowhere else. */
export const noteTables: readonly SchemaObject[] = [mapTable, lastImportTable];

/** Everything, in an order in which it can be made. */
export function schemaOf(sizes: Sizes, sources = noSources): SchemaObject[] {
  const records = recordNames.flatMap((record) => sources.get(record)?.objects ?? [recordTables[record]]);
  return [...records, ...noteTables, ...keptParts, ...keepingTriggers(sizes, sources), ...documentTriggers];
}
