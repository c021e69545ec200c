/**
 * Whether indexes of a host serve the look-ups of its records. im-admin makes none on a host's table: tools of hosts fail
 * at an index on an expression, and drop indexes that they do not know.
 */
import { keyFields, type RecordName, recordKeys } from "../../records.js";
import type { SqlDatabase } from "../../stores/sqlite/database.js";
import { readingFrom } from "../../stores/sqlite/mapped.js";
import { hasKeyOf } from "../../stores/sqlite/schema/keys.js";
import { listedOf } from "../../stores/sqlite/schema/listed.js";
import type { Sources } from "../../stores/sqlite/schema/schema.js";
import { changedKeys } from "../../stores/sqlite/settle/changedKeys.js";
import { join, literal, our, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import { type MappedRecord, mappedRecords, type TableMap } from "../map.js";
import { aliasOf, isQuery } from "../mapNames.js";
import { otherRow, sourcesOf } from "./hostSource.js";
import { keyText, partOf, valuesOfKey } from "./key.js";
import { columnsIn, plainName, quoted } from "./words.js";

/** A look-up of records by their key, or by a part of it. */
interface LookUp {
  record: RecordName;
  mapped: MappedRecord;
  fields: readonly string[];
  /** With what an index must begin, as SQL. */
  columns: readonly string[];
}

/** A look-up that reads all rows. */
export interface Unserved {
  record: RecordName;
  problem: string;
  /** The statement that makes the index; undefined for a query, of whose tables the user knows more. */
  index: string | undefined;
}

/** All look-ups by whole keys, and by the parts that second tables name. */
function lookUpsOf(map: TableMap): LookUp[] {
  return mappedRecords(map).flatMap(([record, mapped]) => {
    const parts = (listedOf(record) === undefined ? [] : (mapped.also ?? [])).map(({ key }) =>
      recordKeys[record].filter((field) => partOf(key, field) !== undefined),
    );
    const all = new Map([recordKeys[record], ...parts].map((fields) => [fields.join(), fields]));
    return Array.from(all.values(), (fields) => {
      const columns = fields.flatMap((field) => columnsOfPart(mapped, field, map.separator ?? ":"));
      return { record, mapped, fields, columns };
    });
  });
}

function columnsOfPart({ key }: MappedRecord, field: string, separator: string): string[] {
  const part = partOf(key, field) ?? [];
  return valuesOfKey(part, separator)?.map(([column]) => column) ?? [keyText(part, separator).text];
}

function unserved({ record, mapped: { from, latest }, fields, columns }: LookUp): Unserved {
  const isWhole = fields.length === keyFields[record].length;
  const all = [...columns, ...(isWhole && latest !== undefined ? [quoted(latest)] : [])];
  const table = plainName(aliasOf(from));
  const words = all.flatMap(columnsIn).join("_").replace(/\W+/g, "_");
  const problem = `${record}: no index of ${table} begins with ${fields.join(" and ")}, so each change reads all its rows`;
  return { record, problem, index: `CREATE INDEX ${quoted(`${table}_${words}`)} ON ${from} (${all.join(", ")})` };
}

/** The sentence that refuses a map. */
export function refusalOf({ problem, index }: Unserved): string {
  return `${problem}: ${index}`;
}

/** Asks SQLite how it would look up changed keys over these tables. */
export async function unservedLookUps(database: Pick<SqlDatabase, "read">, map: TableMap): Promise<Unserved[]> {
  const sources = sourcesOf(map);
  const [[version] = []] = await database.read([sql`PRAGMA schema_version`]);
  const explain = `EXPLAIN QUERY PLAN /* schema ${Number(version?.["schema_version"])} */`;
  const found: Unserved[] = [];
  for (const lookUp of lookUpsOf(map)) {
    const [rows = []] = await database.read([raw(`${explain} ${probe(lookUp, sources)}`)]);
    const plan = rows.map(({ parent, detail }) => ({ isInner: parent !== 0, detail: String(detail) }));
    const { record, mapped, columns } = lookUp;
    if (isQuery(mapped.from)) {
      const scanned = plan.map(({ detail }) => /^SCAN (?!changed$)(\S+)$/.exec(detail)?.[1]).find(Boolean);
      const problem = `${record}: each change reads all rows of ${scanned}`;
      if (scanned !== undefined) found.push({ record, problem, index: undefined });
      continue;
    }
    const table = plainName(aliasOf(mapped.from));
    const isServed = plan.some(
      ({ isInner, detail }) =>
        !isInner && detail.startsWith(`SEARCH ${table} `) && detail.split("=?").length > columns.length,
    );
    const isLatestServed = plan.every(
      ({ detail }) => !detail.includes(` ${otherRow}`) || /^SEARCH .*(?:COVERING INDEX|PRIMARY KEY)/.test(detail),
    );
    if (!isServed || !isLatestServed) found.push(unserved(lookUp));
  }
  return found;
}

function probe({ record, fields }: LookUp, sources: Sources): string {
  return readingFrom(sources)(
    sql`
      WITH ${changedKeys(record, fields)}
      SELECT 1 FROM changed CROSS JOIN ${our(record)} source ON ${hasKeyOf(record, "source", fields, "changed")}`.text,
  );
}

/** The same by SQL alone, which cannot ask SQLite: the look-ups with the condition that no index begins with their columns. */
export function unindexed(map: TableMap): [Unserved, Sql][] {
  return lookUpsOf(map)
    .filter(({ mapped }) => !isQuery(mapped.from))
    .map((lookUp) => [unserved(lookUp), lacksIndex(plainName(lookUp.mapped.from), lookUp.columns)]);
}

function lacksIndex(table: string, columns: readonly string[]): Sql {
  const given = literal(table);
  const listed = join(columns.map((column) => literal(plainName(column).toLowerCase())));
  const rowID = sql`
    EXISTS (
      SELECT 1 FROM pragma_table_info(${given}) WHERE pk AND upper(type) = 'INTEGER' AND lower(name) = ${listed}
    ) AND (SELECT count(*) FROM pragma_table_info(${given}) WHERE pk) = 1`;
  // An index on an expression has no names of columns.
  return sql`
    NOT EXISTS (
      SELECT 1 FROM pragma_index_list(${given}) own
        WHERE NOT partial AND ${literal(columns.length)} = (
          SELECT count(*) FROM pragma_index_xinfo(own.name)
            WHERE seqno < ${literal(columns.length)} AND (name IS NULL OR lower(name) IN (${listed})))
    ) AND NOT (${columns.length === 1 ? rowID : raw("false")})`;
}
