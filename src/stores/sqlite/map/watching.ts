/** The triggers on a host's tables, which note the keys of records that are written. */
import { type RecordName, recordKeys } from "../../../records.js";
import type { AlsoTable, MappedRecord } from "../../../tables/map.js";
import { aliasOf, isQuery, keyColumnNames } from "../../../tables/mapNames.js";
import { changeTriggers, decidingColumns, partialKind } from "../schema/changed.js";
import { listedOf } from "../schema/listed.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { isSame } from "../schema/storedSchema.js";
import { all, join, literal, raw, type Sql, sql } from "../sql.js";
import { columnsOfKey, keyText, partOf } from "./key.js";
import { plainName, quoted, tablesIn, wordsOf } from "./sqlWords.js";

/** The triggers on a host's table, and on second tables that its records depend on. */
export function watching(record: RecordName, mapped: MappedRecord, separator: string): SchemaObject[] {
  if (listedOf(record) === undefined) return [];
  const { from, key, also = [] } = mapped;
  const isSameKey = (other: AlsoTable) =>
    isSame(other.table, from) && JSON.stringify(other.key) === JSON.stringify(key);
  const second = also.flatMap((other, index) =>
    isSameKey(other) ? [] : alsoWatching(record, mapped, other, index + 1, separator),
  );
  // The tables that a query reads are in `also`.
  if (isQuery(from)) return second;
  return [
    ...changeTriggers({
      name: record,
      on: raw(from),
      kind: record,
      keyOf: (row) => keysOf(key, recordKeys[record], row, separator),
      // A statement may move a row to another key by its rowid.
      keyColumns: columnList([...columnsOfKey(key), ...rowIDs]),
      of: also.some(isSameKey) ? columnsOfSecond(record, mapped) : columnList(wordsOf(decidingTexts(record, mapped))),
    }),
    ...replaced(record, mapped, { name: record, key, fields: recordKeys[record] }, separator),
    ...second,
  ];
}

function keysOf(
  key: MappedRecord["key"] | AlsoTable["key"],
  fields: readonly string[],
  row: string,
  separator: string,
) {
  return fields.map((field) => keyText(partOf(key, field) ?? [], separator, row));
}

/** The names by which a statement may write a rowid. */
const rowIDs = ["rowid", "oid", "_rowid_"];

/** Names of columns. A word that is no column does no harm in `UPDATE OF`: no statement writes it. */
function columnList(words: readonly string[]): Sql {
  const unique = new Map(words.map((word) => [word.toLowerCase(), word]));
  return join([...unique.values()].map((word) => raw(quoted(word))));
}

/** The texts of a map on which a listed row or its words depend, beside the key. */
export function decidingTexts(record: RecordName, { from, where, latest, fields = {} }: MappedRecord): string[] {
  const deciding = new Set(decidingColumns(record));
  return [
    ...(isQuery(from) ? [from] : []),
    ...(latest === undefined ? [] : [quoted(latest)]),
    ...(where === undefined ? [] : [where]),
    ...Object.entries<string>(fields).flatMap(([field, text]) => (deciding.has(field) ? [text] : [])),
  ];
}

/** All words that may name a column for which a trigger waits. */
export function mentionedWords(record: RecordName, mapped: MappedRecord): string[] {
  const { key, unique = [] } = mapped;
  return [...columnsOfKey(key), ...unique.flatMap(keyColumnNames), ...wordsOf(decidingTexts(record, mapped))];
}

/** The key that triggers on a table note, or a part of it, and the name that their names contain. */
interface Noted {
  name: string;
  key: MappedRecord["key"] | AlsoTable["key"];
  fields: readonly string[];
}

/**
 * A REPLACE deletes a row of another key without a trigger if that row has the same values in other unique columns. So
 * triggers before the statement note the keys of such rows.
 */
function replaced(
  record: RecordName,
  { from, unique = [] }: MappedRecord,
  { name: own, key, fields }: Noted,
  separator: string,
): SchemaObject[] {
  if (unique.length === 0) return [];
  const alias = aliasOf(from);
  const [first = literal(""), second = literal("")] = keysOf(key, fields, alias, separator).map(
    (text) => sql`coalesce(${text}, '')`,
  );
  const note = unique.map((columns) => {
    const same = keyColumnNames(columns).map((column) => raw(`${alias}.${quoted(column)} = NEW.${quoted(column)}`));
    return sql`
      INSERT INTO im_admin_changed (kind, first, second)
        SELECT ${literal(partialKind(record, fields))}, ${first}, ${second} FROM ${raw(from)} WHERE ${all(same)}
        ON CONFLICT DO NOTHING`;
  });
  const on = raw(from);
  const of = columnList([...unique.flatMap(keyColumnNames), ...rowIDs]);
  return [
    trigger({ name: `${own}BeforeInsert`, event: "BEFORE INSERT", on }, note),
    trigger({ name: `${own}BeforeUpdate`, event: "BEFORE UPDATE", on, of }, note),
  ];
}

/**
 * The columns of second tables on which lists depend, as far as the map mentions them. If it names a table that is not in
 * `also`, that is a view, and then any column may count.
 */
function columnsOfSecond(record: RecordName, mapped: MappedRecord): Sql | undefined {
  const texts = decidingTexts(record, mapped);
  const noticed = (mapped.also ?? []).map((also) => plainName(aliasOf(also.table)));
  const hasView = texts.flatMap(tablesIn).some((read) => !noticed.some((other) => isSame(other, read)));
  const isAll = hasView || texts.some((text) => /\*|\bnatural\b/i.test(text));
  return isAll ? undefined : columnList(wordsOf(texts));
}

/** The triggers on a second table. */
function alsoWatching(
  record: RecordName,
  mapped: MappedRecord,
  { table, key }: AlsoTable,
  number: number,
  separator: string,
): SchemaObject[] {
  const fields = recordKeys[record].filter((field) => partOf(key, field) !== undefined);
  const noted = { name: `${record}Also${number}`, key, fields };
  return [
    ...changeTriggers({
      name: noted.name,
      on: raw(table),
      kind: partialKind(record, fields),
      keyOf: (row) => keysOf(key, fields, row, separator),
      keyColumns: columnList([...columnsOfKey(key), ...rowIDs]),
      of: columnsOfSecond(record, mapped),
    }),
    ...(isSame(table, mapped.from) ? replaced(record, mapped, noted, separator) : []),
  ];
}
