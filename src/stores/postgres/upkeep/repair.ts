/** Makes anew all that a schema keeps for its lists, in one transaction. */

import { recordNames } from "../../../records.js";
import type { OnCheck } from "../../finding.js";
import { type PostgresConnection, type PostgresPool, retried, run, transaction, useSchema } from "../database.js";
import { snakeCase } from "../names.js";
import { rebuild } from "../nodes/check.js";
import { everyCountedList } from "../nodes/counted.js";
import { defaultSizes } from "../nodes/tables.js";
import { countedTables } from "../nodes/triggers.js";
import { rebuildReceived } from "../received/check.js";
import { keptParts } from "../schema/schema.js";
import { rebuildDocuments } from "../search/settle.js";
import { documentIndexes, documentIndexNames } from "../search/tables.js";
import { trigramOperators } from "../search/trigrams.js";
import { join, name, type Sql, sql } from "../sql.js";

/** Makes functions and triggers as they are to be, and counts all lists from their rows. Writers wait for it. */
export async function repairLists(pool: PostgresPool, schema: Sql, onStep?: OnCheck): Promise<void> {
  await retried(() =>
    transaction(pool, async (connection) => {
      await useSchema(connection, schema);
      await rebuildLists(connection, onStep);
    }),
  );
}

/** The records that lists are made of, in the order in which they refer to each other. */
const listedRecords = recordNames
  .map(snakeCase)
  .filter((table) => table === "group_requests" || countedTables.includes(table));

/** What nobody else may write meanwhile, in the order in which writers lock it: what triggers derive comes last. */
const lockedTables = [...new Set([...listedRecords, ...countedTables])];

/** The same, in a transaction that looks up names in the schema. */
export async function rebuildLists(connection: PostgresConnection, onStep: OnCheck = () => {}): Promise<void> {
  const operators = await trigramOperators(connection);
  const steps = [
    sql`LOCK TABLE ${join(lockedTables.map(name))} IN SHARE ROW EXCLUSIVE MODE`,
    ...keptParts(defaultSizes, operators),
    ...rebuildReceived,
    ...rebuild(everyCountedList, defaultSizes),
    // Nobody adds a doubt meanwhile: profiles are locked as well.
    sql`DELETE FROM profile_doubts`,
    ...documentIndexNames.map((index) => sql`DROP INDEX IF EXISTS ${name(index)}`),
    rebuildDocuments,
    ...documentIndexes(operators),
  ];
  for (const [index, step] of steps.entries()) {
    await run(connection, step);
    onStep(index + 1, steps.length);
  }
}
