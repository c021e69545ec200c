/**
 * Whether indexes of a host serve the look-ups of its records. im-admin makes none on a host's table: tools of hosts fail
 * at an index on an expression, and drop indexes that they do not know.
 */
import { keyFields, type RecordName, recordKeys } from "../../../records.js";
import { type MappedRecord, mappedRecords, type TableMap } from "../../../tables/map.js";
import { aliasOf, isQuery } from "../../../tables/mapNames.js";
import type { SqlDatabase } from "../database.js";
import { otherRow, sourcesOf } from "../map/hostSource.js";
import { keyText, partOf, valuesOfKey } from "../map/key.js";
import { readingFrom } from "../map/mapped.js";
import { programsOf } from "../map/program.js";
import { columnsIn, plainName, quoted, wordsOf } from "../map/sqlWords.js";
import { partialKind } from "../schema/changed.js";
import { hasKeyOf } from "../schema/keys.js";
import { listedOf } from "../schema/listed.js";
import { defaultSizes } from "../schema/sizes.js";
import { changedKeys } from "../settle/changedKeys.js";
import { expandKeys, listedChanges } from "../settle/listedChanges.js";
import { all, join, literal, our, ourName, raw, type Sql, sql } from "../sql.js";

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
      // The parts of a key may have a column in common, such as a tenant.
      return { record, mapped, fields, columns: [...new Set(columns)] };
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
  const read = readingFrom(sourcesOf(map));
  const { explain, scanned } = await programsOf(database);
  const found: Unserved[] = [];
  for (const lookUp of lookUpsOf(map)) {
    const { record, mapped, columns } = lookUp;
    if (isQuery(mapped.from)) {
      const programs = await database.read(settling(lookUp).map(({ text }) => explain(read(text))));
      const tables = new Set(programs.flatMap(scanned).filter((table) => !table.startsWith(ourName(""))));
      for (const table of tables) {
        found.push({ record, problem: `${record}: each change reads all rows of ${table}`, index: undefined });
      }
      continue;
    }
    const [rows = []] = await database.read([explain(read(probe(lookUp).text), "EXPLAIN QUERY PLAN")]);
    const plan = rows.map(({ parent, detail }) => ({ isInner: parent !== 0, detail: String(detail) }));
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

/** A look-up alone. */
function probe({ record, fields }: LookUp): Sql {
  return sql`
    WITH ${changedKeys(record, fields)}
    SELECT 1 FROM changed CROSS JOIN ${our(record)} source ON ${hasKeyOf(record, "source", fields, "changed")}`;
}

/** The statements that look up changed keys. A query may be read in another way in them. */
function settling(lookUp: LookUp): Sql[] {
  const { record, fields } = lookUp;
  const listed = listedOf(record);
  if (listed === undefined) return [probe(lookUp)];
  return fields.length < listed.key.length
    ? expandKeys(partialKind(record, fields))
    : [listedChanges(listed, defaultSizes).ask];
}

/**
 * The same by SQL alone, which cannot ask SQLite: the look-ups, each with the condition that no index has its columns
 * before others. `where` may say which value another column has.
 */
export function unindexed(map: TableMap): [Unserved, Sql][] {
  return lookUpsOf(map)
    .filter(({ mapped }) => !isQuery(mapped.from))
    .map((lookUp) => [unserved(lookUp), lacksIndex(lookUp)]);
}

function lacksIndex({ mapped: { from, where }, columns }: LookUp): Sql {
  const table = literal(plainName(from));
  const own = inSmallLetters(columns.map(plainName));
  const others = inSmallLetters(where === undefined ? [] : wordsOf([where]));
  // An index on an expression has no names of columns.
  const isOwn = sql`key AND (name IS NULL OR lower(name) IN (${own}))`;
  const rowID = sql`
    EXISTS (SELECT 1 FROM pragma_table_info(${table}) WHERE pk AND upper(type) = 'INTEGER' AND lower(name) = ${own})
      AND (SELECT count(*) FROM pragma_table_info(${table}) WHERE pk) = 1`;
  return sql`
    NOT EXISTS (
      SELECT 1 FROM pragma_index_list(${table}) own
        WHERE ${where === undefined ? sql`NOT partial` : all([])}
          AND (SELECT count(*) FROM pragma_index_xinfo(own.name) WHERE ${isOwn}) >= ${literal(columns.length)}
          AND NOT EXISTS (
            SELECT 1 FROM pragma_index_xinfo(own.name)
              WHERE key AND lower(name) NOT IN (${own}) AND lower(name) NOT IN (${others})
                AND seqno < (SELECT max(seqno) FROM pragma_index_xinfo(own.name) WHERE ${isOwn}))
    ) AND NOT (${columns.length === 1 ? rowID : raw("false")})`;
}

function inSmallLetters(words: readonly string[]): Sql {
  return join(words.map((word) => literal(word.toLowerCase())));
}
