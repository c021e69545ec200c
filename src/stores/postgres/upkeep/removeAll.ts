/** Removes everything that im-admin has made in a database, and nothing else. */
import { recordNames } from "../../../records.js";
import { type PostgresConnection, type PostgresPool, run } from "../database.js";
import { locking, lockTables } from "../map/hostLocks.js";
import { installedMap } from "../map/installedMap.js";
import { postgresSql } from "../map/mapStatements.js";
import { text } from "../map/place.js";
import { schemaName, snake } from "../names.js";
import { raw, type Sql, sql } from "../sql.js";
import { madeSchema, versions } from "./migration.js";

/**
 * Removes the triggers on a host's tables, and the schema, in one transaction. It waits for writers of the tables, and
 * they wait for it, for a moment.
 *
 * @throws Error if records are in a table of im-admin's own, since they are nowhere else, or if something of the host's
 *   depends on the schema, such as a view
 */
export async function removeAll(pool: PostgresPool, schema: Sql): Promise<void> {
  await locking(pool, async (connection) => {
    await run(connection, sql`SELECT ${schema}.require_owner()`);
    await lockTables(connection, schema);
    await requireNoRecords(connection, schema);
    await run(connection, raw(dropping(schema, await routinesOf(connection, schema))));
  });
}

async function requireNoRecords(connection: PostgresConnection, schema: Sql): Promise<void> {
  for (const name of recordNames) {
    const table = sql`${schema}.${snake(name)}`;
    const found = sql`SELECT FROM pg_class WHERE oid = to_regclass(${table.text}) AND relkind = 'r'`;
    // In place of a mapped table, there is a view or nothing.
    if ((await run(connection, found)).length === 0) continue;
    const records = await run(connection, sql`SELECT FROM ${table} LIMIT 1`);
    if (records.length > 0)
      throw new Error(`${table.text} has records, which would be lost: export them first, and remove them`);
  }
}

const made = versions.join("\n");

/** The names of the functions that this version makes, also for the installed map. */
async function routinesOf(connection: PostgresConnection, schema: Sql): Promise<string[]> {
  const installed = await installedMap(connection, schema);
  const ofMap = installed === undefined ? [] : postgresSql(installed.map, schemaName()).remove;
  return namesIn([made, ...ofMap].join("\n"));
}

function namesIn(sql: string): string[] {
  return [...new Set([...sql.matchAll(/\bim_admin\.(\w+)/g)].map(([, name = ""]) => name))];
}

/**
 * Drops what im-admin has made in the schema, and then the schema itself if im-admin has made it. An object is dropped
 * when nothing depends on it any more, so that the server refuses if something of the host's does. A function of triggers
 * takes them along, also those on a host's tables.
 */
function dropping(schema: Sql, routines: readonly string[]): string {
  const array = (names: readonly string[]) => `'{${names.join(", ")}}'`;
  return `DO $remove$
DECLARE
  own oid := ${text(schema.text)}::regnamespace;
  remaining text[];
  kept text[];
  statement text;
  detail text;
  reason text;
BEGIN
  PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);
  SELECT array_agg('DROP ' || kind || ' IF EXISTS ' || name) INTO remaining FROM (
      SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass::text FROM pg_class
        WHERE relnamespace = own AND relkind IN ('r', 'v', 'S') AND relname = ANY (${array(namesIn(made))})
      UNION ALL
      SELECT 'FUNCTION', oid::regprocedure || CASE prorettype WHEN 'trigger'::regtype THEN ' CASCADE' ELSE '' END FROM pg_proc
        WHERE pronamespace = own AND proname = ANY (${array(routines)})
    ) found (kind, name);
  WHILE remaining <> '{}' LOOP
    kept := '{}';
    reason := NULL;
    FOREACH statement IN ARRAY remaining LOOP
      BEGIN
        EXECUTE statement;
      EXCEPTION WHEN dependent_objects_still_exist THEN
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
        -- The shortest one tells what depends directly.
        IF reason IS NULL OR length(detail) < length(reason) THEN reason := replace(detail, chr(10), ', '); END IF;
        kept := kept || statement;
      END;
    END LOOP;
    IF kept = remaining THEN
      RAISE 'something depends on what would be removed: %', reason;
    END IF;
    remaining := kept;
  END LOOP;
  IF obj_description(own, 'pg_namespace') = ${text(madeSchema)} THEN
    DROP SCHEMA ${schema.text};
  END IF;
END $remove$;`;
}
