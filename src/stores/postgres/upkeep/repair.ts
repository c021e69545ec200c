/** Makes anew all that a schema keeps for its lists, in one transaction. */
import type { OnCheck } from "../../sqlite/finding.js";
import { type PostgresConnection, type PostgresPool, run, transaction, useSchema } from "../database.js";
import { rebuild } from "../nodes/check.js";
import { defaultSizes } from "../nodes/tables.js";
import { countedTables } from "../nodes/triggers.js";
import { rebuildReceived } from "../received/check.js";
import { keptParts } from "../schema/schema.js";
import { trigramOperators } from "../search/trigrams.js";
import { join, name, type Sql, sql } from "../sql.js";

/** Makes functions and triggers as they are to be, and counts all lists from their rows. Writers wait for it. */
export async function repairLists(pool: PostgresPool, schema: Sql, onStep?: OnCheck): Promise<void> {
  await transaction(pool, async (connection) => {
    await useSchema(connection, schema);
    await rebuildLists(connection, onStep);
  });
}

/** The same, in a transaction that looks up names in the schema. */
export async function rebuildLists(connection: PostgresConnection, onStep: OnCheck = () => {}): Promise<void> {
  const steps = [
    sql`LOCK TABLE ${join([...countedTables, "group_requests"].map(name))} IN SHARE ROW EXCLUSIVE MODE`,
    ...keptParts(defaultSizes, await trigramOperators(connection)),
    ...rebuildReceived,
    ...rebuild,
  ];
  for (const [index, step] of steps.entries()) {
    await run(connection, step);
    onStep(index + 1, steps.length);
  }
}
