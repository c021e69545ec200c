/** Makes a table hold other records, in one transaction. */
import { type RecordName, recordFields, recordKeys } from "../../../records.js";
import type { Difference, Incoming, OnDifference } from "../../replacement.js";
import { snakeCase } from "../../snakeCase.js";
import { type OnStep, told } from "../../steps.js";
import type { Row, SqlDatabase, Statement, Statements } from "../database.js";
import { maxLength } from "../records/write.js";
import { mappedInWrite } from "../schema/mapTable.js";
import { drop } from "../schema/schemaObject.js";
import type { Sizes } from "../schema/sizes.js";
import { settling } from "../settle/settle.js";
import { all, join, literal, name, names, our, type Sql, sql } from "../sql.js";
import { build, ownNoting } from "./bulk.js";
import { areMany } from "./putInBulk.js";

/**
 * Makes a table hold exactly these records. Of two with the same key, it takes that of the document with the greatest ID, or
 * else the last. It does not write equal rows again. It collects the records in a temporary table first, so that others may
 * write meanwhile.
 *
 * @param onDifference may throw, and then nothing is written
 * @param first statements of the same transaction
 */
export async function replaceRecords(
  database: SqlDatabase,
  sizes: Sizes,
  table: RecordName,
  incoming: Incoming,
  onDifference: OnDifference,
  onBuild: OnStep = () => {},
  first: Statements = [],
): Promise<Difference> {
  // There may be more of them than fit into memory.
  await database.read([sql`PRAGMA temp_store = FILE`]);
  try {
    await collect(database, table, incoming);
    let difference: Difference | undefined;
    await database.write(
      replacing(sizes, table, onBuild, first, (found) => {
        difference = found;
        onDifference(found);
      }),
    );
    if (difference === undefined) throw new Error("the database has given no result for a statement");
    return difference;
  } finally {
    await database.read([sql`DROP TABLE IF EXISTS temp.im_admin_incoming`]);
    await database.read([sql`PRAGMA temp_store = MEMORY`]);
  }
}

function differenceOf(counted: Row = {}, passedOver: Row = {}): Difference {
  const { stored, removed, changed } = counted;
  const difference = { stored: Number(stored), removed: Number(removed), changed: Number(changed) };
  const { count, example } = passedOver;
  return { ...difference, passedOver: Number(count), example: example == null ? undefined : String(example) };
}

async function collect(database: SqlDatabase, table: RecordName, incoming: Incoming): Promise<void> {
  const columns = [...recordFields[table].map(([field]) => field), "documentID"];
  const keys = recordKeys[table];
  await database.read([
    sql`CREATE TEMP TABLE im_admin_incoming (${names(columns)}, PRIMARY KEY (${names([...keys, "documentID"])}))`,
  ]);
  const values = columns.map((_, index) => sql`coalesce(value ->> ${literal(index)}, '')`);
  const { text } = sql`INSERT OR REPLACE INTO temp.im_admin_incoming SELECT ${join(values)} FROM json_each(?)`;
  let rows: string[] = [];
  let length = 0;
  const insert = () => database.read([{ text, values: [`[${rows.join()}]`] }]);
  for await (const record of incoming) {
    const row = JSON.stringify(record);
    rows.push(row);
    length += row.length;
    if (length < maxLength) continue;
    await insert();
    rows = [];
    length = 0;
  }
  await insert();
}

function* replacing(
  sizes: Sizes,
  table: RecordName,
  onBuild: OnStep,
  first: Statements,
  onDifference: OnDifference,
): Generator<Statement, void, Row[] | undefined> {
  yield* first as Generator<Statement, void, Row[] | undefined>;
  const { removed, changed, passedOver } = conditions(table);
  const [passed] =
    (yield sql`
    SELECT count(*) AS count, min(document_id) AS example FROM temp.im_admin_incoming given WHERE ${passedOver}`) ?? [];
  yield sql`DELETE FROM temp.im_admin_incoming AS given WHERE ${passedOver}`;
  const counted = (yield sql`
    SELECT (SELECT count(*) FROM ${our(table)}) AS stored,
      (SELECT count(*) FROM ${our(table)} stored WHERE ${removed}) AS removed,
      (SELECT count(*) FROM temp.im_admin_incoming given WHERE ${changed}) AS changed`)?.[0];
  const difference = differenceOf(counted, passed);
  onDifference(difference);
  const written = difference.removed + difference.changed;
  if (written === 0) return;
  const mapped = yield* mappedInWrite();
  if (mapped.has(table)) throw new Error("mapped records are in tables of your own, which you write by your own SQL");
  const tables = new Set([table]);
  const isInBulk = yield* areMany(written, tables, mapped);
  const triggers = isInBulk ? ownNoting(mapped) : [];
  yield* triggers.map(drop);
  const columns = names(recordFields[table].map(([field]) => field));
  const replaced = recordFields[table].slice(recordKeys[table].length).map(([field]) => name(field));
  yield sql`DELETE FROM ${our(table)} AS stored WHERE ${removed}`;
  yield sql`
    INSERT INTO ${our(table)} (${columns})
      SELECT ${columns} FROM temp.im_admin_incoming given WHERE ${changed}
      ON CONFLICT (${names(recordKeys[table])}) DO UPDATE SET ${join(replaced.map((column) => sql`${column} = excluded.${column}`))}`;
  // A row of a host that cannot be read must not undo the import. Reads settle what has changed.
  if (!isInBulk && mapped.size > 0) return;
  if (!isInBulk) return yield* settling(sizes, [table]);
  yield* told([...build(sizes, tables), ...triggers.map((trigger) => trigger.sql)], onBuild);
}

/** Which stored records go, which given ones are written, and which are passed over. */
function conditions(table: RecordName): { removed: Sql; changed: Sql; passedOver: Sql } {
  const areSame = (fields: readonly string[]) =>
    all(fields.map((field) => sql`stored.${name(field)} = given.${name(field)}`));
  const fields = recordFields[table].map(([field]) => snakeCase(field));
  return {
    removed: sql`NOT EXISTS (SELECT 1 FROM temp.im_admin_incoming given WHERE ${areSame(recordKeys[table])})`,
    changed: sql`NOT EXISTS (SELECT 1 FROM ${our(table)} stored WHERE ${areSame(fields)})`,
    passedOver: sql`
      EXISTS (
        SELECT 1 FROM temp.im_admin_incoming stored
          WHERE ${areSame(recordKeys[table])} AND stored.document_id > given.document_id)`,
  };
}
