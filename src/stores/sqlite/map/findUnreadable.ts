/** Finds which fields of which rows cannot be read, by reading fewer and fewer of them. */
import { type RecordName, recordKeys } from "../../../records.js";
import type { Row, Statements } from "../database.js";
import { isOfRow, reasonOf } from "../failures.js";
import { hasKeyOf } from "../schema/keys.js";
import { join, literal, name, our, type Sql, sql } from "../sql.js";
import { type Known, type Mark, orderFields } from "./marks.js";

/** The two parts of a record's key; the second one is "" if it has one part. */
export type Key = readonly [first: string, second: string];

/** How statements are read without marked fields. */
export type Without = (marks: readonly Mark[], known: Known, statements: Statements) => Promise<Row[][]>;

/** Finds the unreadable ones of some fields of a kind of records, and filters that cannot be read. */
export async function findUnreadable(
  without: Without,
  record: RecordName,
  keys: readonly Key[],
  fields: readonly string[],
): Promise<Mark[]> {
  const order = orderFields(record);

  /** Why these fields of these records cannot be read; undefined if they can. */
  async function failure(those: readonly Key[], read: readonly string[]): Promise<string | undefined> {
    // The order is read to see whether a row can be listed.
    const others = read === fields ? [] : order.filter((field) => !read.includes(field));
    const marks = others.flatMap((field) =>
      those.map(([first, second]): Mark => [record, first, second, field, 0, ""]),
    );
    try {
      await without(marks, "given", [reading(record, those, read)]);
      return undefined;
    } catch (error) {
      if (!isOfRow(error)) throw error;
      return reasonOf(error);
    }
  }

  async function among(those: readonly Key[]): Promise<Mark[]> {
    const [key] = those;
    if (key === undefined || (await failure(those, fields)) === undefined) return [];
    if (those.length > 1) {
      const half = those.length >> 1;
      return [...(await among(those.slice(0, half))), ...(await among(those.slice(half)))];
    }
    const mark = (field: string, decides: boolean, reason: string): Mark => [
      record,
      ...key,
      field,
      Number(decides),
      reason,
    ];
    const ofFilter = await failure(those, []);
    if (ofFilter !== undefined) return [mark("where", true, ofFilter)];
    const found: Mark[] = [];
    for (const field of fields) {
      const reason = await failure(those, [field]);
      if (reason !== undefined) found.push(mark(field, order.includes(field), reason));
    }
    return found;
  }

  return among(keys);
}

function reading(record: RecordName, keys: readonly Key[], fields: readonly string[]): Sql {
  const parts = recordKeys[record];
  const key = parts.map((field, index) => sql`CAST(value ->> ${literal(index)} AS TEXT) AS ${name(field)}`);
  const values = fields.map((field) => sql`max(source.${name(field)})`);
  return sql`
    SELECT ${join([sql`count(*)`, ...values])} FROM (
      SELECT ${join(key)} FROM json_each(${JSON.stringify(keys)})
    ) wanted CROSS JOIN ${our(record)} source ON ${hasKeyOf(record, "source", parts, "wanted")}`;
}
