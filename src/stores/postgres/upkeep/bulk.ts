/** What makes each of many rows slow to write, and is made at once when all of them are there. */
import type { RecordName } from "../../../records.js";
import { inSchema, type PostgresConnection, run, unlessRefused } from "../database.js";
import { snakeCase } from "../names.js";
import { rebuild } from "../nodes/check.js";
import { everyCountedList } from "../nodes/counted.js";
import { defaultSizes } from "../nodes/tables.js";
import { triggerNames, upkeepsBesideLists } from "../schema/schema.js";
import { rebuildDocuments } from "../search/settle.js";
import { documentIndexNames, members } from "../search/tables.js";
import { join, name, raw, type Sql, sql } from "../sql.js";

/**
 * Sets aside what an empty table has for its lists, for the search and for what managers receive, until the function that
 * it gives is called, in the same transaction. Until this ends, nobody else can read or write the table.
 *
 * It gives undefined, and has changed nothing, where that is not right: where the table has rows, or somebody uses it;
 * where its owner is somebody else; where others have triggers or foreign keys on it, which would look for rows without
 * an index; or where statements are to take a limited time.
 */
export async function setAside(
  connection: PostgresConnection,
  schema: Sql,
  record: RecordName,
): Promise<(() => Promise<void>) | undefined> {
  const table = snakeCase(record);
  const lists = everyCountedList.filter((list) => list.table === table);
  if (lists.length === 0) return undefined;
  const hasDocuments = table === members.table;
  const named = sql`${schema}.${name(table)}`;
  const locked = join([named, ...(hasDocuments ? [sql`${schema}.documents`] : [])]);
  const lock = async () =>
    unlessRefused(connection, "lock_not_available", sql`LOCK TABLE ${locked} IN ACCESS EXCLUSIVE MODE NOWAIT`);
  // Documents are made of profiles, for which is not to be waited later.
  const profiles = sql`LOCK TABLE ${schema}.users IN ACCESS SHARE MODE NOWAIT`;
  const hasProfiles = async () => !hasDocuments || unlessRefused(connection, "lock_not_available", profiles);
  const isOurs = async () => (await isFree(connection, named)) && (await hasProfiles()) && (await lock());
  // Looked at again when it is locked: somebody may have written it just before. It then stays locked for nothing.
  if (!((await isOurs()) && (await isFree(connection, named)))) return undefined;

  const drop = async (indexNames: readonly string[]) => {
    const indexes = await definitions(connection, schema, indexNames);
    for (const { index } of indexes) await run(connection, sql`DROP INDEX ${raw(index)}`);
    return indexes.map(({ definition }) => raw(definition));
  };
  const trigger = (change: "DISABLE" | "ENABLE") =>
    sql`ALTER TABLE ${named} ${raw(change)} TRIGGER ${name(`${table}_insert`)}`;
  await run(connection, trigger("DISABLE"));
  const ofLists = await drop(lists.map((list) => `${list.name}_in_order`));
  const ofDocuments = hasDocuments ? await drop(documentIndexNames) : [];

  return async () => {
    for (const index of ofLists) await run(connection, index);
    await run(connection, trigger("ENABLE"));
    await inSchema(connection, schema, async () => {
      const others = upkeepsBesideLists(defaultSizes).filter((upkeep) => upkeep.table === table);
      const steps = [
        ...rebuild(lists, defaultSizes),
        ...others.flatMap(({ inserted }) => (inserted === undefined ? [] : [inserted.all(name(table))])),
        ...(hasDocuments ? [rebuildDocuments] : []),
      ];
      for (const step of steps) await run(connection, step);
    });
    for (const index of ofDocuments) await run(connection, index);
  };
}

/** Where indexes are, and how they are made again. One that its owner has marked, or moved, is left out: that is not told. */
async function definitions(
  connection: PostgresConnection,
  schema: Sql,
  indexNames: readonly string[],
): Promise<{ index: string; definition: string }[]> {
  const rows = await run(
    connection,
    sql`
      SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid) AS definition
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relnamespace = ${schema.text}::regnamespace AND relname = ANY (${indexNames}::text[])
          AND reltablespace = 0 AND NOT indisclustered`,
  );
  return rows.map(({ index, definition }) => ({ index: String(index), definition: String(definition) }));
}

/**
 * Whether a table is empty, and nobody else's business. One at a time may set anything aside: of two who had a table
 * each, either might come to need the other's.
 */
async function isFree(connection: PostgresConnection, table: Sql): Promise<boolean> {
  const [row] = await run(
    connection,
    sql`
      SELECT (
          NOT row_security_active(pg_class.oid) AND NOT EXISTS (SELECT FROM ${table})
            AND current_setting('statement_timeout') = '0'
            AND pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'CREATE')
            AND pg_try_advisory_xact_lock(hashtext('im-admin bulk'))
            AND NOT EXISTS (
              SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND (tgname <> ALL (${triggerNames}::text[]) OR tgenabled <> 'O'))
        )::text AS is_free
        FROM pg_class WHERE oid = ${table.text}::regclass`,
  );
  return row?.["is_free"] === "true";
}
