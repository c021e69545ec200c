/** All that a database of ours has: what is made first stands first. */

import { type RowStatements, rowTriggers } from "../nodes/rowTriggers.js";
import { nodeTables, orderIndexes, type Sizes, watchedTables } from "../nodes/tables.js";
import { nodeTriggers } from "../nodes/triggers.js";
import { managersIndex, receivedTables } from "../received/tables.js";
import { receivedTriggers, renewManager } from "../received/triggers.js";
import { recordTables } from "../records/tables.js";
import { searchTables } from "../search/tables.js";
import { documentTriggers, memberTriggers, renewDocument, tellIndexes } from "../search/triggers.js";
import type { SchemaObject } from "./schemaObject.js";

/** What a member is part of, beside its lists. */
const more: RowStatements = {
  also: (table, row) => (table === "groupMembers" ? [renewManager(row), renewDocument(row)] : []),
  last: (table) => (table === "groupMembers" ? [tellIndexes] : []),
};

/** The triggers on the tables of records, and on what they lead to. */
export function keepingTriggers(sizes: Sizes): SchemaObject[] {
  return [
    ...nodeTriggers(sizes),
    ...watchedTables.flatMap((table) => rowTriggers(table, more)),
    ...receivedTriggers,
    ...memberTriggers(sizes),
  ];
}

/** The parts that hold what is kept for the lists. */
export const keptParts: readonly SchemaObject[] = [
  ...receivedTables,
  managersIndex,
  ...nodeTables,
  ...orderIndexes,
  ...searchTables,
];

/** Everything, in an order in which it can be made. */
export function schemaOf(sizes: Sizes): SchemaObject[] {
  return [...Object.values(recordTables), ...keptParts, ...keepingTriggers(sizes), ...documentTriggers];
}
