import { checkedKeys, checkedRecords } from "../../../checkedRecords.js";
import {
  keyFields,
  type RecordKeySet,
  type RecordName,
  type RecordSet,
  recordFields,
  recordKeys,
} from "../../../records.js";
import {
  isView,
  type PostgresConnection,
  type PostgresPool,
  retried,
  run,
  transaction,
  unlessDuplicate,
} from "../database.js";
import { snake } from "../names.js";
import { all, join, type Sql, sql } from "../sql.js";
import { type Chunk, chunks } from "./chunks.js";

/** So few records are upserted at once, without an attempt to insert them: new ones take 10 ms either way. */
const fewRecords = 500;

/** Inserts or replaces records in one transaction. */
export function put(pool: PostgresPool, schema: Sql, records: RecordSet): Promise<void> {
  return write(pool, records, async (connection) => {
    const withKnownKeys = new Set<RecordName>();
    await writeAll(chunks(checkedRecords(records), recordFields), async (chunk) => {
      const { table, size } = chunk;
      const into = sql`${schema}.${snake(table)}`;
      // An upsert is twice as slow as an insert. So insert until the first key that exists already.
      if (size > fewRecords && !withKnownKeys.has(table)) {
        const isNew = unlessDuplicate(connection, insertion(into, chunk));
        await writing(table, isNew);
        if (await isNew) return;
        withKnownKeys.add(table);
      }
      await writing(table, run(connection, upsertInto(into, chunk)));
    });
  });
}

/** Deletes records, in one transaction. */
export function remove(pool: PostgresPool, schema: Sql, keys: RecordKeySet): Promise<void> {
  return write(pool, keys, (connection) =>
    writeAll(chunks(checkedKeys(keys), keyFields), async (chunk) => {
      await writing(chunk.table, run(connection, deletion(schema, chunk)));
    }),
  );
}

/** Writes a chunk. The error for mapped records says that only the host can write them. */
export async function writing(table: RecordName, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isView(error)) throw error;
    throw new Error(`${table} are in a table of your own, which you write by your own SQL`, { cause: error });
  }
}

async function write(
  pool: PostgresPool,
  given: RecordSet | RecordKeySet,
  work: (connection: PostgresConnection) => Promise<void>,
): Promise<void> {
  const attempt = () => transaction(pool, work);
  // A generator can be read only once.
  const isRepeatable = Object.values(given ?? {}).every((ofKind) => ofKind === undefined || Array.isArray(ofKind));
  await (isRepeatable ? retried(attempt) : attempt());
}

/** Writes chunks one after the other. While the server writes one, the next is prepared. */
export async function writeAll(all: AsyncIterable<Chunk>, writeChunk: (chunk: Chunk) => Promise<void>): Promise<void> {
  let underWay = Promise.resolve();
  try {
    for await (const chunk of all) {
      await underWay;
      underWay = writeChunk(chunk);
      // The failure is thrown where the write is awaited; this keeps it from counting as unhandled.
      underWay.catch(() => {});
    }
  } finally {
    // Wait for the last write before the transaction ends.
    await underWay;
  }
}

function insertion(into: Sql, { fields, rows }: Chunk): Sql {
  return sql`
    INSERT INTO ${into} (${join(fields.map(([field]) => snake(field)))})
      ${rows}`;
}

/** Inserts records into a table that has their columns, or replaces those with the same key. */
export function upsertInto(into: Sql, chunk: Chunk, keys = recordKeys[chunk.table].map(snake)): Sql {
  const { fields } = chunk;
  const replaced = fields.slice(recordKeys[chunk.table].length).map(([field]) => snake(field));
  return sql`
    ${insertion(into, chunk)}
      ON CONFLICT (${join(keys)}) DO UPDATE SET ${join(replaced.map((column) => sql`${column} = excluded.${column}`))}`;
}

export function deletion(schema: Sql, { table, rows }: Chunk): Sql {
  const keys = recordKeys[table].map(snake);
  const named = sql`${schema}.${snake(table)}`;
  const isSame = all(keys.map((key) => sql`stored.${key} = doomed.${key}`));
  // Lock rows in the order of their keys, so that two calls with the same records cannot deadlock.
  return sql`
    DELETE FROM ${named} stored USING (
      SELECT ${join(keys)} FROM (${rows}) AS given JOIN ${named} locked USING (${join(keys)})
        ORDER BY ${join(keys)} FOR UPDATE OF locked
    ) doomed WHERE ${isSame}`;
}
