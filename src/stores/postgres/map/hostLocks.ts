/** Locks a host's tables to create or drop triggers on them. */

import { type MappedRecord, mappedRecords, type TableMap } from "../../../tables/map.js";
import { isQuery } from "../../../tables/mapNames.js";
import { type PostgresConnection, type PostgresPool, retried, run, transaction } from "../database.js";
import { raw, type Sql, sql } from "../sql.js";
import { listsOf } from "./listSql.js";

/** How long it is tried to lock the tables, in milliseconds. */
const patience = 60_000;

/** The longest pause before the next attempt, in milliseconds. Meanwhile the host goes on. */
const longestPause = 1_000;

/** The host's transactions did not let go of the tables in time. */
class Busy extends Error {}

/** The tables that the map of a kind of records names. */
export function namesOf({ from, also = [] }: MappedRecord): string[] {
  return [...(isQuery(from) ? [] : [from]), ...also.map(({ table }) => table)];
}

/** The tables that get triggers: those of listed records, and those in `also`. */
export function watchedTables(map: TableMap): string[] {
  return mappedRecords(map).flatMap(([name, mapped]) => (listsOf[name].length === 0 ? [] : namesOf(mapped)));
}

/** Runs work in a transaction. If a host's table cannot be locked at once, it begins again a moment later. */
export async function locking<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  for (;;) {
    try {
      return await retried(() => transaction(pool, work));
    } catch (error) {
      if (!(error instanceof Busy) || performance.now() - begun > patience) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause));
    }
  }
}

/**
 * Locks the host's tables that have triggers of the schema, and those of a map, until the transaction ends. All are locked
 * within half of the time after which the server looks for deadlocks, or not at all: so no transaction of the host's,
 * which may lock the same tables in another order, is ended.
 */
export async function lockTables(connection: PostgresConnection, schema: Sql, map: TableMap = {}): Promise<void> {
  // settle() reads these tables.
  await run(
    connection,
    sql`SELECT pg_advisory_xact_lock(hashtext('im-admin settle'), ${`${schema.text}.lists`}::regclass::oid::integer)`,
  );
  const [found] = await run(
    connection,
    sql`
      WITH watched AS (
        SELECT DISTINCT tgrelid FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid JOIN pg_class ON pg_class.oid = tgrelid
          WHERE pronamespace = ${schema.text}::regnamespace AND relnamespace <> pronamespace
      )
      SELECT current_setting('statement_timeout') AS timeout,
          greatest(1, extract(epoch FROM current_setting('deadlock_timeout')::interval) * 500)::integer::text AS short,
          string_agg(oid::regclass::text, ', ' ORDER BY random()) FILTER (WHERE oid IN (SELECT tgrelid FROM watched)) AS watched,
          string_agg(oid::regclass::text, ', ' ORDER BY random()) FILTER (WHERE oid NOT IN (SELECT tgrelid FROM watched)) AS others
        FROM pg_class
        WHERE relkind IN ('r', 'p') AND has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
          AND (oid IN (SELECT tgrelid FROM watched) OR oid IN (SELECT to_regclass(name) FROM unnest(${watchedTables(map)}::text[]) name))`,
  );
  const { timeout, short, watched, others } = found ?? {};
  const locks = [
    ...(watched === null ? [] : [`LOCK TABLE ${watched} IN ACCESS EXCLUSIVE MODE;`]),
    ...(others === null ? [] : [`LOCK TABLE ${others} IN SHARE ROW EXCLUSIVE MODE;`]),
  ];
  await setTimeoutOf(connection, short);
  try {
    // Both are one statement, to which the limit of time applies.
    await run(connection, raw(`DO $lock$ BEGIN ${locks.join(" ")} END $lock$`));
    // The limit holds for this statement too.
    await setTimeoutOf(connection, timeout);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "57014") throw error;
    throw new Busy("other transactions have locked the tables: try again when they are over", { cause: error });
  }
}

function setTimeoutOf(connection: PostgresConnection, time: unknown): Promise<unknown> {
  return run(connection, sql`SELECT set_config('statement_timeout', ${String(time)}, true)`);
}
