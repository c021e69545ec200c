/** Makes a table hold other records, in one transaction. */
import type { CheckedValues } from "../../../checkedRecords.js";
import { text } from "../../../recordKinds.js";
import { type RecordName, recordFields, recordKeys } from "../../../records.js";
import type { Difference, Incoming, OnDifference } from "../../replacement.js";
import { type PostgresConnection, type PostgresPool, run, transaction } from "../database.js";
import { snake } from "../names.js";
import { chunks, keyOf } from "../records/chunks.js";
import { upsertInto, writing } from "../records/write.js";
import { all, join, type Sql, sql } from "../sql.js";

export const incomingTable = sql`pg_temp.im_admin_incoming`;

/** So many records are collected at once. */
const portion = 10_000;

/**
 * Makes a table hold exactly these records. Of two with the same key, it takes that of the document with the greatest ID, or
 * else the last. It does not write equal rows again. It
 * collects the records in a temporary table first, so that others may write meanwhile.
 *
 * @param onDifference may throw, and then nothing is written
 * @param first writes in the same transaction
 */
export function replaceRecords(
  pool: PostgresPool,
  schema: Sql,
  table: RecordName,
  incoming: Incoming,
  onDifference: OnDifference,
  first = async (_connection: PostgresConnection) => {},
): Promise<Difference> {
  const stored = sql`${schema}.${snake(table)}`;
  const keys = recordKeys[table].map(snake);
  const fields = recordFields[table].map(([field]) => snake(field));
  const documentKeys = [...keys, sql`document_id`];
  const areSame = (columns: readonly Sql[]) => all(columns.map((column) => sql`stored.${column} = given.${column}`));
  const isGone = sql`NOT EXISTS (SELECT FROM ${incomingTable} given WHERE ${areSame(keys)})`;
  const isChanged = sql`NOT EXISTS (SELECT FROM ${stored} stored WHERE ${areSame(fields)})`;
  const isPassedOver = sql`
    EXISTS (
      SELECT FROM ${incomingTable} stored WHERE ${areSame(keys)} AND stored.document_id > given.document_id)`;

  return transaction(pool, async (connection) => {
    // The temporary table has the types and collations of the table. A host may have added columns.
    await run(
      connection,
      sql`CREATE TEMP TABLE im_admin_incoming ON COMMIT DROP AS SELECT ${join(fields)}, '' COLLATE "C" AS document_id FROM ${stored} WITH NO DATA`,
    );
    await run(connection, sql`ALTER TABLE ${incomingTable} ADD PRIMARY KEY (${join(documentKeys)})`);
    await collect(connection, table, incoming);
    await run(connection, sql`ANALYZE ${incomingTable}`);
    await first(connection);
    const [passed] = await run(
      connection,
      sql`
        WITH passed AS (DELETE FROM ${incomingTable} given WHERE ${isPassedOver} RETURNING document_id)
        SELECT count(*)::text AS count, min(document_id) AS example FROM passed`,
    );
    const [counted] = await run(
      connection,
      sql`
        SELECT (SELECT count(*) FROM ${stored})::text AS stored,
          (SELECT count(*) FROM ${stored} stored WHERE ${isGone})::text AS removed,
          (SELECT count(*) FROM ${incomingTable} given WHERE ${isChanged})::text AS changed`,
    );
    const difference = {
      stored: Number(counted?.["stored"]),
      removed: Number(counted?.["removed"]),
      changed: Number(counted?.["changed"]),
      passedOver: Number(passed?.["count"]),
      example: passed?.["example"] == null ? undefined : String(passed["example"]),
    };
    onDifference(difference);
    // Other writers lock rows in the order of their keys, too.
    await writing(
      table,
      run(
        connection,
        sql`
          DELETE FROM ${stored} stored USING (
            SELECT ${join(keys)} FROM ${stored} stored WHERE ${isGone} ORDER BY ${join(keys)} FOR UPDATE
          ) given WHERE ${areSame(keys)}`,
      ),
    );
    const replaced = fields.slice(keys.length).map((column) => sql`${column} = excluded.${column}`);
    await writing(
      table,
      run(
        connection,
        sql`
          INSERT INTO ${stored} (${join(fields)})
            SELECT ${join(fields)} FROM ${incomingTable} given WHERE ${isChanged} ORDER BY ${join(keys)}
            ON CONFLICT (${join(keys)}) DO UPDATE SET ${join(replaced)}`,
      ),
    );
    return difference;
  });
}

function identityOf(name: RecordName, values: CheckedValues): string {
  return `${keyOf(name, values)}\x01${values.at(-1)}`;
}

async function collect(connection: PostgresConnection, table: RecordName, incoming: Incoming): Promise<void> {
  const fields = { ...recordFields, [table]: [...recordFields[table], ["documentID", text]] };
  let records: [RecordName, CheckedValues][] = [];
  const insert = async () => {
    for await (const chunk of chunks(records, fields, identityOf)) {
      await run(connection, upsertInto(incomingTable, chunk, [...recordKeys[table].map(snake), sql`document_id`]));
    }
    records = [];
  };
  for await (const values of incoming) {
    records.push([table, values.length < fields[table].length ? [...values, ""] : values]);
    if (records.length === portion) await insert();
  }
  await insert();
}
