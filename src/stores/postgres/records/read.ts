import { recordFields, recordNames, type StoredConversation } from "../../../records.js";
import { type PostgresPool, requireMapped, run } from "../database.js";
import { snake } from "../names.js";
import { join, quoted, type Sql, sql } from "../sql.js";

/** A user's conversations. */
export async function conversations(
  pool: PostgresPool,
  schema: Sql,
  ownerUserID: string,
): Promise<StoredConversation[]> {
  await requireMapped(pool, schema);
  const fields = recordFields.conversations.map(([field]) => sql`${snake(field)} AS ${quoted(field)}`);
  const rows = await run(
    pool,
    sql`
      SELECT row_to_json(stored)::text AS conversation FROM (
        SELECT ${join(fields)} FROM ${schema}.conversations
          WHERE owner_user_id = ${ownerUserID} ORDER BY conversation_id
      ) stored`,
  );
  return rows.map(({ conversation }) => JSON.parse(String(conversation)) as StoredConversation);
}

/** Whether no table holds a record. */
export async function isEmpty(pool: PostgresPool, schema: Sql): Promise<boolean> {
  await requireMapped(pool, schema);
  const some = recordNames.map((table) => sql`EXISTS (SELECT FROM ${schema}.${snake(table)})`);
  const [row] = await run(pool, sql`SELECT (${join(some, " OR ")})::text AS some`);
  return row?.["some"] === "false";
}
