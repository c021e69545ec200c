import { type CheckedValues, checkedKeys, checkedRecords } from "../../../checkedRecords.js";
import type { Kind } from "../../../recordKinds.js";
import {
  type Fields,
  keyFields,
  type RecordKeySet,
  type RecordName,
  type RecordSet,
  recordFields,
  recordKeys,
  recordNames,
  type StoredConversation,
} from "../../../records.js";
import { type PostgresConnection, type PostgresPool, retried, run, transaction } from "../database.js";
import { snake } from "../names.js";
import { settle } from "../nodes/settle.js";
import { all, join, quoted, raw, type Sql, sql, type Value } from "../sql.js";

/** How many records one statement writes at most. */
const mostRecords = 5000;

/** How many characters of texts one statement writes, one record more or less: a server takes a gigabyte. */
const mostCharacters = 4_000_000;

/** Up to how many records of a kind a call leaves it to later writers to count lists that have grown long. */
const fewRecords = 500;

type Checked = Generator<[RecordName, CheckedValues]>;

/** Records of one kind, by their keys. */
type Chunk = Map<string, CheckedValues>;

/** Inserts or replaces records, in one transaction. */
export async function put(pool: PostgresPool, schema: Sql, records: RecordSet): Promise<void> {
  let isLong = false;
  await write(pool, records, checkedRecords, (table, chunk) => {
    isLong ||= chunk.size > fewRecords;
    return upsert(schema, table, chunk);
  });
  // The records are there, and listed: what is left to do makes lists faster. Later writers do it otherwise.
  if (isLong) await settle(pool, schema).catch(() => {});
}

/** Deletes records, in one transaction. */
export function remove(pool: PostgresPool, schema: Sql, keys: RecordKeySet): Promise<void> {
  return write(pool, keys, checkedKeys, (table, chunk) => deletion(schema, table, chunk));
}

async function write<Given extends RecordSet | RecordKeySet>(
  pool: PostgresPool,
  given: Given,
  check: (given: Given) => Checked,
  statement: (table: RecordName, chunk: Chunk) => Sql,
): Promise<void> {
  const attempt = () =>
    transaction(pool, async (connection) => {
      const checked = check(given);
      try {
        await writeAll(connection, checked, statement);
      } finally {
        checked.return(undefined);
      }
    });
  // What a generator gives is read once.
  const isRepeatable = Object.values(given ?? {}).every((ofKind) => ofKind === undefined || Array.isArray(ofKind));
  await (isRepeatable ? retried(attempt) : attempt());
}

async function writeAll(
  connection: PostgresConnection,
  checked: Checked,
  statement: (table: RecordName, chunk: Chunk) => Sql,
): Promise<void> {
  let table: RecordName | undefined;
  let chunk: Chunk = new Map();
  let characters = 0;
  const flush = async () => {
    if (table !== undefined && chunk.size > 0) await run(connection, statement(table, chunk));
    chunk = new Map();
    characters = 0;
  };
  for (const [name, values] of checked) {
    if (name !== table || chunk.size === mostRecords || characters > mostCharacters) await flush();
    table = name;
    // A statement takes one record of a key: the last one.
    chunk.set(JSON.stringify(values.slice(0, recordKeys[name].length)), values);
    for (const value of values) characters += typeof value === "string" ? value.length : 0;
  }
  await flush();
}

function upsert(schema: Sql, table: RecordName, chunk: Chunk): Sql {
  const columns = recordFields[table].map(([field]) => snake(field));
  const keys = recordKeys[table].map(snake);
  const replaced = columns.slice(keys.length).map((column) => sql`${column} = excluded.${column}`);
  return sql`
    INSERT INTO ${schema}.${snake(table)} (${join(columns)})
      SELECT * FROM ${rowsOf(recordFields[table], chunk)}
      ON CONFLICT (${join(keys)}) DO UPDATE SET ${join(replaced)}`;
}

function deletion(schema: Sql, table: RecordName, chunk: Chunk): Sql {
  const keys = recordKeys[table].map(snake);
  const named = sql`${schema}.${snake(table)}`;
  const isSame = all(keys.map((key) => sql`stored.${key} = doomed.${key}`));
  // Those who delete the same records in other orders wait for each other here, and not in a circle.
  return sql`
    DELETE FROM ${named} stored USING (
      SELECT ${join(keys)} FROM ${rowsOf(keyFields[table], chunk)} JOIN ${named} locked USING (${join(keys)})
        ORDER BY ${join(keys)} FOR UPDATE OF locked
    ) doomed WHERE ${isSame}`;
}

const types: Record<Kind["name"], string> = {
  key: "text[]",
  text: "text[]",
  integer: "integer[]",
  level: "integer[]",
  time: "bigint[]",
  flag: "boolean[]",
};

/** Records as rows, in the order of their keys: all writers lock them in the same order. */
function rowsOf(fields: Fields, chunk: Chunk): Sql {
  const rows = [...chunk].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, values]) => values);
  const columns = fields.map(([, { name: kind }], index) => {
    const values: Value = rows.map((values) => values[index] as string | number | boolean);
    return sql`${values}::${raw(types[kind])}`;
  });
  return sql`unnest(${join(columns)}) AS written (${join(fields.map(([field]) => snake(field)))})`;
}

/** A user's conversations. */
export async function conversations(
  pool: PostgresPool,
  schema: Sql,
  ownerUserID: string,
): Promise<StoredConversation[]> {
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
  const some = recordNames.map((table) => sql`EXISTS (SELECT FROM ${schema}.${snake(table)})`);
  const [row] = await run(pool, sql`SELECT ${join(some, " OR ")} AS some`);
  return row?.["some"] === false;
}
