/** The place of one kind of records in PostgreSQL: im-admin's own table, or a view of a host's table. */
import type { Kind } from "../../../recordKinds.js";
import { keyFields, type RecordName, recordFields } from "../../../records.js";
import type { KeyColumns, MappedRecord, TableMap } from "../../../tables/map.js";
import { aliasOf, isQuery, keyColumnNames } from "../../../tables/mapNames.js";
import { snakeCase } from "../../snakeCase.js";

/** A column of a host's table that belongs to a record's key. */
interface KeyPart {
  /** The field of the key, how many columns it has, and the place of this one among them, from 1 on. */
  field: string;
  parts: number;
  place: number;
  column: string;
  /**
   * The name of the column among the selected ones. The function that converts the text of an ID into the column's type
   * has the same name.
   */
  name: string;
}

export interface Place {
  name: RecordName;
  /** The table or view with the records. */
  relation: string;
  mapped?: MappedRecord | undefined;
  isEmpty: boolean;
  /** The name of a host's table in expressions. */
  alias: string;
  separator: string;
  keyParts: readonly KeyPart[];
}

export function placeOf(name: RecordName, map: TableMap): Place {
  const given = map[name];
  const mapped = given === "empty" ? undefined : (given as MappedRecord | undefined);
  const { separator = ":" } = map;
  return {
    name,
    relation: `im_admin.${snakeCase(name)}`,
    mapped,
    isEmpty: given === "empty",
    alias: mapped === undefined ? "" : aliasOf(mapped.from),
    separator,
    keyParts: mapped === undefined ? [] : keyPartsOf(name, mapped),
  };
}

function keyPartsOf(name: RecordName, { key }: MappedRecord): KeyPart[] {
  return keyFields[name].flatMap(([field]) => {
    const columns = keyColumnNames((key as Record<string, KeyColumns>)[field] ?? []);
    return columns.map((column, index) => {
      const suffix = columns.length === 1 ? "" : `_${index + 1}`;
      return { field, column, parts: columns.length, place: index + 1, name: `${snakeCase(field)}_key${suffix}` };
    });
  });
}

/** A column of a table, quoted if necessary. */
export function column(table: string, name: string): string {
  return `${table}.${/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`}`;
}

/** A text as a constant in SQL. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The body of a function. Its texts may be a host's: the word between dollar signs is one that they do not have so. */
export function bodyOf(statements: string, word = ""): string {
  const quote = `$${word}$`;
  return statements.includes(quote) ? bodyOf(statements, `${word}_`) : `${quote}${statements}${quote}`;
}

/** The function that converts an ID, or its part, into a column's type. */
export function conversion({ name }: Place, { name: part }: KeyPart): string {
  return `im_admin.${snakeCase(name)}_${part}`;
}

/** Calls a conversion for an ID or its part. */
export function converted(routine: string, id: string): string {
  return `${routine}(convert_to(${id}, 'UTF8'))`;
}

/** A condition: whether a field of a row's key is this ID. It can use an index of the host's columns. */
export function hasID(place: Place, row: string, field: string, id: string): string {
  const parts = place.keyParts.filter((part) => part.field === field);
  const equal = parts.map((part) => `${row}.${part.name} = ${converted(conversion(place, part), id)}`);
  // Compare the text as well: a host's collation may treat capitals as small letters.
  return [...equal, `${row}.${snakeCase(field)} = ${id}`].join(" AND ");
}

/** The value of each field of a record, over the row of a host's table. */
export function fieldValues(place: Place): [field: string, value: string][] {
  return recordFields[place.name].map(([field, kind]) => [field, fieldValue(place, field, kind)]);
}

const casts = { string: "text", number: "bigint", boolean: "boolean", undefined: "text" } as const;

/** The type that an expression is cast to, by the type of the field's default. A field of a key has none. */
export function castOf({ otherwise }: Kind): "text" | "bigint" | "boolean" {
  return casts[typeof otherwise as keyof typeof casts];
}

function fieldValue({ mapped, alias, separator }: Place, field: string, kind: Kind): string {
  const key = (mapped?.key as Record<string, KeyColumns | undefined> | undefined)?.[field];
  if (key !== undefined) return `(${keyText(key, alias, separator)}) COLLATE "C"`;
  const type = castOf(kind);
  const empty = type === "text" ? "''" : String(kind.otherwise);
  const given = (mapped?.fields as Record<string, string | undefined> | undefined)?.[field];
  if (given === undefined) return type === "text" ? `${empty}::text COLLATE "C"` : `${empty}::${type}`;
  if (type === "text") return `coalesce((${given})::text, '') COLLATE "C"`;
  return `coalesce((${given})::${type}, ${empty})`;
}

/** The text of a key over a row. */
export function keyText(key: KeyColumns, row: string, separator: string): string {
  if (typeof key === "object" && "sql" in key) return `(${key.sql})::text`;
  return keyColumnNames(key)
    .map((name) => `${column(row, name)}::text`)
    .join(` || ${text(separator)} || `);
}

/** The functions that convert the IDs of a record's key into the types of the host's columns. */
export function conversionFunctions(place: Place): string[] {
  const { mapped, separator, keyParts } = place;
  return keyParts.map((part) => {
    const { place: nth, parts } = part;
    const pieces = `pg_catalog.string_to_array(id, ${text(separator)})`;
    // The last column may contain the separator.
    const rest = `pg_catalog.array_to_string((${pieces})[${nth}:], ${text(separator)})`;
    const own = parts === 1 ? "id" : nth < parts ? `(${pieces})[${nth}]` : rest;
    return conversionFunction(conversion(place, part), mapped?.from ?? "", part.column, own);
  });
}

/** Creates a function that converts a text into the type of a host's column. */
export function conversionFunction(routine: string, from: string, name: string, value: string): string {
  const columnOf = `SELECT ${column(aliasOf(from), name)} AS key FROM ${asSource(from)}`;
  const made = routine.replace("im_admin.", "");
  return `SELECT im_admin.make_conversion(${text(made)}, ${text(columnOf)}, ${text(value)});`;
}

/** A table, or a query, with its name in expressions. */
export function asSource(from: string): string {
  return isQuery(from) ? from : `${from} AS ${aliasOf(from)}`;
}
