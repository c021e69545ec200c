/** The place of one kind of records in PostgreSQL: im-admin's own table, or a view of a host's table. */
import type { Kind } from "../../recordKinds.js";
import { keyFields, type RecordName, recordFields } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import type { KeyColumns, MappedRecord, TableMap } from "../map.js";
import { aliasOf, columnsOf } from "../mapNames.js";

/** A column of a host's table that belongs to a record's key. */
interface KeyPart {
  /** The field of the key, how many columns it has, and the place of this one among them, from 1 on. */
  field: string;
  parts: number;
  place: number;
  column: string;
  /**
   * The column's name in the view. The function that converts the text of an ID into the column's type has the same
   * name.
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
    const columns = columnsOf((key as Record<string, KeyColumns>)[field] ?? []);
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

/** The type that an expression is cast to, by the type of the field's default. */
const typesOf = { string: "text", number: "bigint", boolean: "boolean" } as const;

function fieldValue({ mapped, alias, separator, keyParts }: Place, field: string, { otherwise }: Kind): string {
  const parts = keyParts.filter((part) => part.field === field);
  if (parts.length > 0) {
    return `(${parts.map((part) => `${column(alias, part.column)}::text`).join(` || ${text(separator)} || `)}) COLLATE "C"`;
  }
  const type = typesOf[typeof otherwise as keyof typeof typesOf];
  const empty = type === "text" ? "''" : String(otherwise);
  const given = (mapped?.fields as Record<string, string | undefined> | undefined)?.[field];
  if (given === undefined) return type === "text" ? `${empty}::text COLLATE "C"` : `${empty}::${type}`;
  if (type === "text") return `coalesce((${given})::text, '') COLLATE "C"`;
  return `coalesce((${given})::${type}, ${empty})`;
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

/**
 * A function that converts a text into a column's type. The text comes as bytes, which have no collation, so an index
 * of the column is used whatever its collation is.
 */
export function conversionFunction(routine: string, table: string, name: string, value: string): string {
  return `CREATE FUNCTION ${routine}(given bytea, OUT key ${column(table, name)}%TYPE)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  id text := pg_catalog.convert_from(given, 'UTF8');
BEGIN
  key := ${value};
EXCEPTION WHEN data_exception THEN
  key := NULL;
END $$;
COMMENT ON FUNCTION ${routine} IS ${text(`Converts an ID into a value of ${table}; NULL if no row can have it.`)};`;
}
