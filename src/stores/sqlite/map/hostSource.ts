/**
 * A host's table as a source of records: a SELECT, which statements read in the place of im-admin's own table, and
 * triggers on the host's table.
 */
import { keyFields, type RecordName, recordFields, recordNames } from "../../../records.js";
import type { MappedRecord, TableMap } from "../../../tables/map.js";
import { aliasOf, isQuery } from "../../../tables/mapNames.js";
import { digitsOf } from "../../lists/digits.js";
import { placingFields } from "../../lists/placing.js";
import { snakeCase } from "../../snakeCase.js";
import type { RecordSource } from "../schema/schema.js";
import { all, join, literal, name, raw, type Sql, sql } from "../sql.js";
import { conversationTable } from "./conversations.js";
import { keyText, partOf, valuesOfKey } from "./key.js";
import { leavingOut, orKeysOnly, plainly, type Reading } from "./reading.js";
import { quoted } from "./sqlWords.js";
import { watching } from "./watching.js";

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
  const select = sql`SELECT ${join(columns)} WHERE false`.text;
  return { select, careful: select, keys: {}, objects: [] };
}

function sourceOf(record: RecordName, mapped: MappedRecord, separator: string): RecordSource {
  const obstacle = join(
    obstaclesOf(record, mapped, separator).map(([, condition]) => condition),
    " OR ",
  );
  const keys = hostColumns(record, mapped, separator);
  const columns = [
    ...recordFields[record].map(([field]) => name(field)),
    ...keys.flatMap(({ columns }) => columns.map(({ name }) => raw(name))),
  ];
  const listed = sql`NOT (${obstacle})`;
  const select = (rows: Sql, isListed: Sql) =>
    sql`
      SELECT ${join(columns)} FROM (
        ${rows}
      ) WHERE ${isListed}`.text;
  return {
    select: select(rowsOf(record, mapped, separator), listed),
    careful: select(carefulRows(record, mapped, separator), orKeysOnly(record, listed)),
    keys: Object.fromEntries(
      keys.map(({ field, columns }) => [snakeCase(field), columns.map(({ name, value }) => [name, value])]),
    ),
    objects: watching(record, mapped, separator),
  };
}

/** A column of a host that is a part of a key, in the SELECT of a source. */
interface HostColumn {
  /** Its name in the SELECT. */
  name: string;
  /** The column in the host's table. */
  column: string;
  /** Its value as SQL over the key, for which `:key` stands. */
  value: string;
}

/** The columns by which a host's index finds a record, for each field of the key of which they can be told. */
function hostColumns(
  record: RecordName,
  { key }: MappedRecord,
  separator: string,
): { field: string; columns: HostColumn[] }[] {
  return keyFields[record].flatMap(([field]) => {
    const values = valuesOfKey(partOf(key, field) ?? [], separator);
    if (values === undefined) return [];
    const columns = values.map(([column, value], index) => ({
      name: `${snakeCase(field)}_${index + 1}`,
      column,
      value,
    }));
    return [{ field, columns }];
  });
}

/** The same rows as {@link rowsOf}, without what is marked as unreadable. */
export function carefulRows(record: RecordName, mapped: MappedRecord, separator: string): Sql {
  const [first = literal(""), second = literal("")] = keysOf(record, mapped, separator, aliasOf(mapped.from)).map(
    ([, text]) => text,
  );
  return rowsOf(record, mapped, separator, leavingOut(record, first, second));
}

/** Selects the rows that match `where`, with all fields, and with the host's columns of the key. */
export function rowsOf(record: RecordName, mapped: MappedRecord, separator: string, read: Reading = plainly): Sql {
  const keys = keysOf(record, mapped, separator, aliasOf(mapped.from)).map(
    ([field, text]) => sql`${text} AS ${name(field)}`,
  );
  const given = (mapped.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  const fields = recordFields[record].slice(keys.length).map(([field, kind]) => {
    const value = fieldValue(field, kind.otherwise, given[field]);
    const otherwise = typeof kind.otherwise === "string" ? literal("") : literal(0);
    return sql`${given[field] === undefined ? value : read.field(field, value, otherwise)} AS ${name(field)}`;
  });
  const columns = hostColumns(record, mapped, separator).flatMap(({ columns }) =>
    columns.map(({ name, column }) => raw(`${aliasOf(mapped.from)}.${column} AS ${name}`)),
  );
  const conditions = [
    ...(mapped.where === undefined ? [] : [sql`(${raw(mapped.where)})`]),
    ...(mapped.latest === undefined ? [] : [isLatest(record, mapped, mapped.latest, separator)]),
  ];
  const filter = read.filter(conditions);
  return sql`
    SELECT ${join([...keys, ...fields, ...columns], ",\n    ")}
      FROM ${raw(mapped.from)}${filter === undefined ? sql`` : sql` WHERE ${filter}`}`;
}

/** The fields of a key, each with its text over a row. */
function keysOf(record: RecordName, { key }: MappedRecord, separator: string, row: string): [string, Sql][] {
  return keyFields[record].map(([field]) => [field, keyText(partOf(key, field) ?? [], separator, row)]);
}

/** The name of the rows with which a row is compared. */
export const otherRow = "im_admin_other";

/**
 * The condition that a row is the latest one of its key. A row without a value comes before all others. The host's index
 * finds the rows by its columns.
 */
function isLatest(record: RecordName, mapped: MappedRecord, latest: string, separator: string): Sql {
  const { from } = mapped;
  const alias = aliasOf(from);
  const other = otherRow;
  const others = raw(isQuery(from) ? `${from.slice(0, -alias.length)}${other}` : `${from} AS ${other}`);
  const [keys, otherKeys] = [alias, other].map((row) => keysOf(record, mapped, separator, row));
  const sameKey = [
    ...(keys?.map(([, text], index) => sql`${otherKeys?.[index]?.[1] ?? text} IS ${text}`) ?? []),
    ...hostColumns(record, mapped, separator).flatMap(({ columns }) =>
      columns.map(({ column }) => raw(`${other}.${column} IS ${alias}.${column}`)),
    ),
  ];
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
  const columns = hostColumns(record, mapped, separator);
  const keys = keyFields[record].flatMap(([field]): [string, Sql][] => {
    const own = columns.find((found) => found.field === field)?.columns ?? [];
    // With one separator too many, two keys could have the same ID.
    const isFound = own.map(({ name: column, value }) =>
      raw(`${column} = ${value.replaceAll(":key", snakeCase(field))}`),
    );
    return [
      [`${field} is NULL or empty`, sql`coalesce(${name(field)}, '') = ''`],
      [`${field} contains U+0000`, sql`instr(${name(field)}, char(0)) > 0`],
      ...(own.length === 0
        ? []
        : [[notFound(field, own.length, separator), sql`NOT (${all(isFound)})`] as [string, Sql]]),
    ];
  });
  const others = placingFields[record].map(([field, kind]): [string, Sql] => {
    const digits = digitsOf(kind);
    if (digits === undefined) return [`${field} contains U+0000`, sql`instr(${name(field)}, char(0)) > 0`];
    const { least, most } = digits;
    return [`${field} is not from ${least} to ${most}`, sql`${name(field)} NOT BETWEEN ${raw(least)} AND ${raw(most)}`];
  });
  return [...keys, ...others];
}

/** Why the columns of a key cannot be told from its text. */
function notFound(field: string, columns: number, separator: string): string {
  const otherType = `${field} has a value of another type than its column`;
  return columns === 1
    ? otherType
    : `${field} has ${JSON.stringify(separator)} before its last column, or ${otherType.slice(field.length + 5)}`;
}
