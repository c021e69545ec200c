/** Makes a table hold other records, in one transaction. */
import type { CheckedValues } from "../../../checkedRecords.js";
import { type RecordName, recordFields, recordKeys } from "../../../records.js";
import type { Difference, OnDifference } from "../../replacement.js";
import { type PostgresPool, run, transaction } from "../database.js";
import { snake } from "../names.js";
import { chunks } from "../records/chunks.js";
import { upsertInto, writing } from "../records/write.js";
import { all, join, type Sql, sql } from "../sql.js";

const incoming = sql`pg_temp.im_admin_incoming`;

/**
 * Makes a table hold exactly these records; of two with the same key, the last. It does not write equal rows again. It
 * collects the records in a temporary table first, so that others may write meanwhile.
 *
 * @param onDifference may throw, and then nothing is written
 */
export function replaceRecords(
  pool: PostgresPool,
  schema: Sql,
  table: RecordName,
  records: Iterable<CheckedValues>,
  onDifference: OnDifference,
): Promise<Difference> {
  const stored = sql`${schema}.${snake(table)}`;
  const keys = recordKeys[table].map(snake);
  const fields = recordFields[table].map(([field]) => snake(field));
  const areSame = (columns: readonly Sql[]) => all(columns.map((column) => sql`stored.${column} = given.${column}`));
  const isGone = sql`NOT EXISTS (SELECT FROM ${incoming} given WHERE ${areSame(keys)})`;
  const isChanged = sql`NOT EXISTS (SELECT FROM ${stored} stored WHERE ${areSame(fields)})`;

  return transaction(pool, async (connection) => {
    // The temporary table has the types and collations of the table. A host may have added columns.
    await run(
      connection,
      sql`CREATE TEMP TABLE im_admin_incoming ON COMMIT DROP AS SELECT ${join(fields)} FROM ${stored} WITH NO DATA`,
    );
    await run(connection, sql`ALTER TABLE ${incoming} ADD PRIMARY KEY (${join(keys)})`);
    for await (const chunk of chunks(named(table, records), recordFields)) {
      await run(connection, upsertInto(incoming, chunk));
    }
    await run(connection, sql`ANALYZE ${incoming}`);
    const [counted] = await run(
      connection,
      sql`
        SELECT (SELECT count(*) FROM ${stored})::text AS stored,
          (SELECT count(*) FROM ${stored} stored WHERE ${isGone})::text AS removed,
          (SELECT count(*) FROM ${incoming} given WHERE ${isChanged})::text AS changed`,
    );
    const difference = {
      stored: Number(counted?.["stored"]),
      removed: Number(counted?.["removed"]),
      changed: Number(counted?.["changed"]),
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
            SELECT ${join(fields)} FROM ${incoming} given WHERE ${isChanged} ORDER BY ${join(keys)}
            ON CONFLICT (${join(keys)}) DO UPDATE SET ${join(replaced)}`,
      ),
    );
    return difference;
  });
}

function* named(table: RecordName, records: Iterable<CheckedValues>): Generator<[RecordName, CheckedValues]> {
  for (const values of records) yield [table, values];
}
