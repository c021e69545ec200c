/**
 * A host's table as a source of records: a SELECT, which statements read in the place of im-admin's own table, and an
 * index and triggers on the host's table.
 */
import { keyFields, type RecordName, recordFields, recordNames } from "../../records.js";
import type { RecordSource } from "../../stores/sqlite/schema/schema.js";
import type { SchemaObject } from "../../stores/sqlite/schema/schemaObject.js";
import { all, join, literal, name, names, ourName, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import type { KeyColumns, MappedRecord, TableMap } from "../map.js";
import { aliasOf, columnsOf, isQuery } from "../mapNames.js";
import { listedNumbers } from "../numbers.js";
import { conversationTable } from "./conversations.js";
import { keyText, partOf } from "./key.js";
import { watching } from "./watching.js";
import { quoted } from "./words.js";

/** The sources of the mapped records. */
export function sourcesOf(map: TableMap): ReadonlyMap<RecordName, RecordSource> {
  const { separator = ":" } = map;
  const sources = new Map<RecordName, RecordSource>();
  for (const record of recordNames) {
    const mapped = map[record];
    if (mapped === undefined) continue;
    const given = mapped as MappedRecord | "empty";
    const source = given === "empty" ? noRecords(record) : sourceOf(record, given, separator);
    const target = record === "conversations" ? conversationTable(given, separator) : undefined;
    sources.set(record, { ...source, target });
  }
  return sources;
}

function noRecords(record: RecordName): RecordSource {
  const columns = recordFields[record].map(([field]) => sql`NULL AS ${name(field)}`);
  return { select: sql`SELECT ${join(columns)} WHERE false`.text, objects: [] };
}

function sourceOf(record: RecordName, mapped: MappedRecord, separator: string): RecordSource {
  const obstacle = join(
    obstaclesOf(record, mapped, separator).map(([, condition]) => condition),
    " OR ",
  );
  const columns = recordFields[record].map(([field]) => field);
  return {
    select: sql`
      SELECT ${names(columns)} FROM (
        ${rowsOf(record, mapped, separator)}
      ) WHERE NOT (${obstacle})`.text,
    objects: [...indexesOf(record, mapped, separator), ...watching(record, mapped, separator)],
  };
}

/** Selects the rows that match `where`, with all fields, and with the first columns of keys that have several. */
export function rowsOf(record: RecordName, mapped: MappedRecord, separator: string): Sql {
  const keys = keysOf(record, mapped, separator, aliasOf(mapped.from)).map(
    ([field, text]) => sql`${text} AS ${name(field)}`,
  );
  const given = (mapped.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  const fields = recordFields[record]
    .slice(keys.length)
    .map(([field, kind]) => sql`${fieldValue(field, kind.otherwise, given[field])} AS ${name(field)}`);
  const conditions = [
    ...(mapped.where === undefined ? [] : [sql`(${raw(mapped.where)})`]),
    ...(mapped.latest === undefined ? [] : [isLatest(record, mapped, mapped.latest, separator)]),
  ];
  return sql`
    SELECT ${join([...keys, ...fields], ",\n    ")}
      FROM ${raw(mapped.from)}${conditions.length === 0 ? sql`` : sql` WHERE ${all(conditions)}`}`;
}

/** The fields of a key, each with its text over a row; over the columns of an index if the row has no name. */
function keysOf(record: RecordName, { key }: MappedRecord, separator: string, row?: string): [string, Sql][] {
  return keyFields[record].map(([field]) => [field, keyText(partOf(key, field) ?? [], separator, row)]);
}

/** The condition that a row is the latest one of its key. A row without a value comes before all others. */
function isLatest(record: RecordName, mapped: MappedRecord, latest: string, separator: string): Sql {
  const { from } = mapped;
  const alias = aliasOf(from);
  const other = "im_admin_other";
  const others = raw(isQuery(from) ? `${from.slice(0, -alias.length)}${other}` : `${from} AS ${other}`);
  const [keys, otherKeys] = [alias, other].map((row) => keysOf(record, mapped, separator, row));
  const sameKey = keys?.map(([, text], index) => sql`${otherKeys?.[index]?.[1] ?? text} IS ${text}`) ?? [];
  return sql`
    ${raw(alias)}.${raw(quoted(latest))} IS (SELECT max(${raw(other)}.${raw(quoted(latest))}) FROM ${others} WHERE ${all(sameKey)})`;
}

/**
 * A value of the field's type, whatever the expression returns. A nickname loses any U+0000: SQLite allows it in a
 * text, but a search stops there.
 */
function fieldValue(field: string, otherwise: unknown, expression: string | undefined): Sql {
  if (typeof otherwise === "string") {
    if (expression === undefined) return literal("");
    const text = sql`coalesce(CAST((${raw(expression)}) AS TEXT), '')`;
    return field === "nickname" ? sql`replace(${text}, char(0), '')` : text;
  }
  if (expression === undefined) return literal(0);
  return typeof otherwise === "boolean"
    ? sql`coalesce((${raw(expression)}) <> 0, 0)`
    : sql`coalesce(CAST((${raw(expression)}) AS INTEGER), 0)`;
}

/** The reasons why a row cannot be listed, each with its condition. */
export function obstaclesOf(
  record: RecordName,
  mapped: MappedRecord,
  separator: string,
): [reason: string, condition: Sql][] {
  const keys = keyFields[record].flatMap(([field]): [string, Sql][] => {
    const columns = columnsOf(partOf(mapped.key, field) as KeyColumns);
    // With one separator too many, two keys could have the same ID.
    const first = sql`replace(${name(field)}, ${literal(separator)}, '')`;
    const places = (columns.length - 1) * separator.length;
    return [
      [`${field} is NULL or empty`, sql`coalesce(${name(field)}, '') = ''`],
      [`${field} contains U+0000`, sql`instr(${name(field)}, char(0)) > 0`],
      ...(columns.length <= 1
        ? []
        : [
            [
              `${field} has ${JSON.stringify(separator)} within a column`,
              sql`length(${name(field)}) - length(${first}) > ${literal(places)}`,
            ] as [string, Sql],
          ]),
    ];
  });
  const numbers = Object.entries(listedNumbers[record] ?? {}).map(([field, [least, most]]): [string, Sql] => [
    `${field} is not from ${least} to ${most}`,
    sql`${name(field)} NOT BETWEEN ${raw(least)} AND ${raw(most)}`,
  ]);
  return [...keys, ...numbers];
}

/** The index that finds a row by the text of its key, and the latest row of a key. A query has none. */
function indexesOf(record: RecordName, mapped: MappedRecord, separator: string): SchemaObject[] {
  const { from, latest } = mapped;
  if (isQuery(from)) return [];
  const indexName = ourName(`${record}ByKey`);
  const columns = [
    ...keysOf(record, mapped, separator).map(([, text]) => text),
    ...(latest === undefined ? [] : [raw(quoted(latest))]),
  ];
  return [
    {
      type: "index",
      name: indexName,
      on: from,
      sql: sql`CREATE INDEX ${name(indexName)} ON ${raw(from)} (${join(columns)})`,
    },
  ];
}
