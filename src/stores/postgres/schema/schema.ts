/** All that im-admin makes in a schema, in an order in which it can be made. */

import { foldRoutines } from "../nodes/fold.js";
import { readRoutines } from "../nodes/read.js";
import { nodeTables, orders, type Sizes } from "../nodes/tables.js";
import { countedTables, listUpkeeps } from "../nodes/triggers.js";
import { pageRoutines } from "../pages/routines.js";
import { receivedRoutines } from "../received/routine.js";
import { settleRoutines } from "../received/settle.js";
import { receivedTables } from "../received/tables.js";
import { managerUpkeep, receivedTriggerNames, receivedTriggers } from "../received/triggers.js";
import { setConversationsRoutine } from "../records/setConversationsRoutine.js";
import { recordTables } from "../records/tables.js";
import { searchRoutines } from "../search/routines.js";
import { documentRoutines } from "../search/settle.js";
import { documentIndexes, documentTables, gramsRoutine } from "../search/tables.js";
import { nicknameUpkeep, profileUpkeep } from "../search/triggers.js";
import type { Sql } from "../sql.js";
import { tableTriggers, triggerNamesOf, type Upkeep } from "./triggers.js";

/** The names of all triggers. */
export const triggerNames: readonly string[] = [
  ...countedTables.flatMap(triggerNamesOf),
  "due_folds_fold",
  ...receivedTriggerNames,
  "profile_doubts_settle",
];

/** What is kept of records beside the lists. */
export const upkeepsBesideLists = (sizes: Sizes): Upkeep[] => [managerUpkeep, profileUpkeep, nicknameUpkeep(sizes)];

export function schemaOf(sizes: Sizes, trigrams: Sql | undefined): Sql[] {
  return [...recordTables, ...keptParts(sizes, trigrams)];
}

/** All but the tables of records: `trigrams` is the class of operators of pg_trgm, if it can be had; what is there already stays, and functions and triggers are made anew. */
export function keptParts(sizes: Sizes, trigrams: Sql | undefined): Sql[] {
  return [
    ...nodeTables,
    ...receivedTables,
    ...documentTables,
    ...orders,
    ...settleRoutines,
    ...documentRoutines(sizes),
    ...foldRoutines(sizes),
    ...tableTriggers([...listUpkeeps(sizes), ...upkeepsBesideLists(sizes)]),
    ...receivedTriggers,
    ...readRoutines,
    ...pageRoutines,
    ...receivedRoutines,
    gramsRoutine,
    ...documentIndexes(trigrams),
    ...searchRoutines(trigrams !== undefined),
    setConversationsRoutine,
  ];
}
