import type { OnStep } from "../../steps.js";
import { type PostgresPool, retried, run, transaction } from "../database.js";
import { locking, lockTables } from "../map/hostLocks.js";
import { countChanges, settle } from "../settle/settle.js";
import { type Sql, sql } from "../sql.js";
import { renewal } from "./migration.js";

/**
 * Creates functions and triggers again, by the migrations or the given statements, and builds all lists again. Others
 * may read and write meanwhile.
 */
export async function repairLists(
  pool: PostgresPool,
  schema: Sql,
  onStep: OnStep = () => {},
  renewed: Sql = renewal(schema),
): Promise<void> {
  await locking(pool, async (connection) => {
    await lockTables(connection, schema);
    await run(connection, renewed);
  });
  await forgetTrees(pool, schema);
  const changes = await countChanges(pool, schema);
  await settle(pool, schema, undefined, (settled) => onStep(Math.min(settled, changes), changes));
}

/** Deletes the trees of all lists, and has settle() build them again. */
export async function forgetTrees(pool: PostgresPool, schema: Sql): Promise<void> {
  await retried(() => transaction(pool, (connection) => run(connection, sql`SELECT ${schema}.rebuild_lists()`)));
}
