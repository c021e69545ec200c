import { type RecordName, recordFields, recordKeys, recordNames, type StoredRecord } from "../../../records.js";
import { type PostgresPool, requireMapped, run } from "../database.js";
import { snake } from "../names.js";
import { join, names, quoted, type Sql, sql } from "../sql.js";

/** The records with these IDs in the first field of their key, in the order of their keys: those of users, for example. */
export async function recordsOf<Name extends RecordName>(
  pool: PostgresPool,
  schema: Sql,
  table: Name,
  ids: readonly string[],
): Promise<StoredRecord<Name>[]> {
  await requireMapped(pool, schema);
  const fields = recordFields[table].map(([field]) => sql`${snake(field)} AS ${quoted(field)}`);
  const keys = recordKeys[table];
  const rows = await run(
    pool,
    sql`
      SELECT row_to_json(stored)::text AS record FROM (
        SELECT ${join(fields)} FROM ${schema}.${snake(table)}
          WHERE ${snake(keys[0])} = ANY (${ids}) ORDER BY ${names(keys)}
      ) stored`,
  );
  return rows.map(({ record }) => JSON.parse(String(record)) as StoredRecord<Name>);
}

/** Whether no table holds a record. */
export async function isEmpty(pool: PostgresPool, schema: Sql): Promise<boolean> {
  await requireMapped(pool, schema);
  const some = recordNames.map((table) => sql`EXISTS (SELECT FROM ${schema}.${snake(table)})`);
  const [row] = await run(pool, sql`SELECT (${join(some, " OR ")})::text AS some`);
  return row?.["some"] === "false";
}
