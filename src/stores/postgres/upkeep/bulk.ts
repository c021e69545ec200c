/** What makes each of many rows slow to write, and is made at once when all of them are there. */
import type { RecordName } from "../../../records.js";
import { inSchema, type PostgresConnection, run, unlessRefused } from "../database.js";
import { snakeCase } from "../names.js";
import { rebuild } from "../nodes/check.js";
import { everyCountedList } from "../nodes/counted.js";
import { defaultSizes } from "../nodes/tables.js";
import { keepingTriggers } from "../nodes/triggers.js";
import { receivedTriggerNames } from "../received/triggers.js";
import { searchIndexes } from "../search/words.js";
import { name, raw, type Sql, sql } from "../sql.js";

/**
 * Sets aside what an empty table has for its lists and for the search, until the function that it gives is called, in
 * the same transaction. Until this ends, nobody else can read or write the table.
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
  const named = sql`${schema}.${name(table)}`;
  const locked = async () =>
    unlessRefused(connection, "lock_not_available", sql`LOCK TABLE ${named} IN ACCESS EXCLUSIVE MODE NOWAIT`);
  // Looked at again when it is locked: somebody may have written it just before. It then stays locked for nothing.
  if (!((await isFree(connection, named)) && (await locked()) && (await isFree(connection, named)))) return undefined;

  // One that its owner has marked, or moved, is kept: the definition does not tell.
  const indexNames = [...lists.map((list) => `${list.name}_in_order`), ...searchIndexes(table)];
  const indexes = await run(
    connection,
    sql`
      SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = ${named.text}::regclass AND relname = ANY (${indexNames}::text[])
          AND reltablespace = 0 AND NOT indisclustered`,
  );
  const trigger = (change: "DISABLE" | "ENABLE") =>
    sql`ALTER TABLE ${named} ${raw(change)} TRIGGER ${name(`${table}_insert`)}`;
  await run(connection, trigger("DISABLE"));
  for (const index of indexes) await run(connection, sql`DROP INDEX ${raw(String(index["name"]))}`);

  return async () => {
    for (const index of indexes) await run(connection, raw(String(index["definition"])));
    await run(connection, trigger("ENABLE"));
    await inSchema(connection, schema, async () => {
      for (const step of rebuild(lists, defaultSizes)) await run(connection, step);
    });
  };
}

const ours = [...keepingTriggers, ...receivedTriggerNames];

/**
 * Whether a table is empty, and nobody else's business. One at a time may set anything aside: of two who had a table
 * each, either might come to need the other's.
 */
async function isFree(connection: PostgresConnection, table: Sql): Promise<boolean> {
  const [row] = await run(
    connection,
    sql`
      SELECT NOT EXISTS (SELECT FROM ${table}) AND current_setting('statement_timeout') = '0'
          AND pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'CREATE')
          AND pg_try_advisory_xact_lock(hashtext('im-admin bulk'))
          AND NOT EXISTS (
            SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND (tgname <> ALL (${ours}::text[]) OR tgenabled <> 'O')
          ) AS is_free
        FROM pg_class WHERE oid = ${table.text}::regclass`,
  );
  return row?.["is_free"] === true;
}
