import type { OnStep } from "../../steps.js";
import { type PostgresPool, retried, run, transaction } from "../database.js";
import { renewal } from "../schema/migration.js";
import { countChanges, settle } from "../settle/settle.js";
import { type Sql, sql } from "../sql.js";

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
  await retried(() =>
    transaction(pool, async (connection) => {
      await run(connection, renewed);
      await run(connection, sql`SELECT ${schema}.rebuild_lists()`);
    }),
  );
  const changes = await countChanges(pool, schema);
  await settle(pool, schema, undefined, (settled) => onStep(Math.min(settled, changes), changes));
}
