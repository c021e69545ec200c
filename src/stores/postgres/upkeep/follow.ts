/** Follows the documents of another server. */
import type { CheckedValues } from "../../../checkedRecords.js";
import { keyFields, type RecordName, recordFields, recordKeys } from "../../../records.js";
import { effectOf, type FollowedChanges, type Following, type KeyOfDocument, keysNow } from "../../following.js";
import { type PostgresConnection, type PostgresPool, retried, run, transaction } from "../database.js";
import { snake } from "../names.js";
import { chunks } from "../records/chunks.js";
import { deletion, upsertInto, writeAll, writing } from "../records/write.js";
import { holds } from "../schema/holds.js";
import { join, type Sql, sql } from "../sql.js";
import { move, place } from "./lastImport.js";
import { incomingTable, replaceRecords } from "./replace.js";

export function followingIn(pool: PostgresPool, schema: Sql): Following {
  return {
    holds,
    place: () => place(pool, schema),
    replace: (record, incoming, moved, onDifference) =>
      replaceRecords(pool, schema, record, incoming, onDifference, async (connection) => {
        await move(connection, schema, moved);
        await know(connection, schema, record);
      }),
    apply: (changes, moved) =>
      retried(() =>
        transaction(pool, async (connection) => {
          await move(connection, schema, moved);
          return apply(connection, schema, changes);
        }),
      ),
  };
}

/** Notes of which documents the incoming records are. */
async function know(connection: PostgresConnection, schema: Sql, record: RecordName): Promise<void> {
  await run(connection, sql`DELETE FROM ${schema}.followed WHERE record = ${record}`);
  const parts = recordKeys[record].map((field) => sql`to_json(${snake(field)})::text`);
  const key = sql`'[' || ${join(parts, " || ',' || ")} || ']'`;
  await run(
    connection,
    sql`INSERT INTO ${schema}.followed SELECT ${record}, document_id, ${key} FROM ${incomingTable}`,
  );
}

async function apply(connection: PostgresConnection, schema: Sql, changes: FollowedChanges): Promise<string[]> {
  const allPassedOver: string[] = [];
  for (const [record, documents] of changes) {
    const those = sql`record = ${record} AND id = ANY(${[...documents.keys()]}::text[])`;
    const before = keysOf(await run(connection, sql`SELECT id, key FROM ${schema}.followed WHERE ${those}`));
    const keysOfBoth = [...before, ...keysNow(record, documents)].map(([, key]) => key);
    const others = await run(
      connection,
      sql`
        SELECT id, key FROM ${schema}.followed
          WHERE record = ${record} AND key = ANY(${keysOfBoth}::text[]) AND NOT (${those})`,
    );
    const { removed, put, known, passedOver } = effectOf(record, documents, before, keysOf(others));
    allPassedOver.push(...passedOver);
    await writeAll(chunks(named(record, removed), keyFields), (chunk) =>
      writing(record, run(connection, deletion(schema, chunk))),
    );
    const into = sql`${schema}.${snake(record)}`;
    await writeAll(chunks(named(record, put), recordFields), (chunk) =>
      writing(record, run(connection, upsertInto(into, chunk))),
    );
    await run(connection, sql`DELETE FROM ${schema}.followed WHERE ${those}`);
    const ids = known.map(([id]) => id);
    const keys = known.map(([, key]) => key);
    await run(
      connection,
      sql`INSERT INTO ${schema}.followed SELECT ${record}, unnest(${ids}::text[]), unnest(${keys}::text[])`,
    );
  }
  return allPassedOver;
}

function keysOf(rows: readonly Readonly<Record<string, unknown>>[]): KeyOfDocument[] {
  return rows.map(({ id, key }) => [String(id), String(key)]);
}

function named(record: RecordName, all: readonly CheckedValues[]): [RecordName, CheckedValues][] {
  return all.map((values) => [record, values]);
}
