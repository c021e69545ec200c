/** The view of a host's table, and its rows that can be listed. */
import { keyFields, recordFields } from "../../records.js";
import { mostBytes } from "../../stores/postgres/records/holdsKey.js";
import { columnTypes } from "../../stores/postgres/schema/recordTables.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { anyTime, listedNumbers } from "../numbers.js";
import { column, fieldValues, type Place, text } from "./place.js";

/**
 * The reasons why a row cannot be listed, each with its condition. No condition is NULL for a row that can be listed.
 */
export function obstacles(
  { name, alias, separator, keyParts }: Place,
  row: string,
): [reason: string, condition: string][] {
  const numbers = Object.entries(listedNumbers[name] ?? {}).map(([field, [least, most]]): [string, string] => [
    `${field} is not from ${least} to ${most}`,
    `${row}.${snakeCase(field)} NOT BETWEEN ${least} AND ${most}`,
  ]);
  const keys = keyFields[name].flatMap(([field]): [string, string][] => {
    const id = `${row}.${snakeCase(field)}`;
    const divided = keyParts.filter((part) => part.field === field && part.place < part.parts);
    return [
      [`${field} is NULL or empty`, `coalesce(${id}, '') = ''`],
      [`${field} is longer than ${mostBytes} bytes`, `octet_length(${id}) > ${mostBytes}`],
      [`${field} contains U+0001`, `strpos(${id}, chr(1)) > 0`],
      ...divided.map((part): [string, string] => [
        `${field} has ${JSON.stringify(separator)} within ${alias}.${part.column}`,
        `strpos(${row}.${part.name}::text, ${text(separator)}) > 0`,
      ]),
    ];
  });
  return [...keys, ...numbers];
}

/** Selects the rows of a host's table that match `where`, with some fields and the columns of the key. */
export function recordRows(place: Place, rows: string, isNeeded: (field: string) => boolean): string {
  const { mapped, alias, keyParts } = place;
  const values = fieldValues(place)
    .filter(([field]) => isNeeded(field))
    .map(([field, value]) => `${value} AS ${snakeCase(field)}`);
  const parts = keyParts.map((part) => `${column(alias, part.column)} AS ${part.name}`);
  const where = mapped?.where === undefined ? "" : `\n  WHERE (${mapped.where})`;
  return `SELECT
    ${[...values, ...parts].join(",\n    ")}
  FROM ${rows} AS ${alias}${where}`;
}

/** Selects only rows that can be listed, with the fields that list them. */
export function listableRows(place: Place, rows: string): string {
  const { name } = place;
  const fields = [...keyFields[name].map(([field]) => field), ...Object.keys(listedNumbers[name] ?? {})];
  if (name === "users" || name === "groupMembers") fields.push("nickname");
  return listable(
    place,
    recordRows(place, rows, (field) => fields.includes(field)),
    (field) => fields.includes(field),
    false,
  );
}

function listable(place: Place, rows: string, isNeeded: (field: string) => boolean, withParts: boolean): string {
  const row = "row";
  const ranges = listedNumbers[place.name] ?? {};
  const values = recordFields[place.name]
    .filter(([field]) => isNeeded(field))
    .map(([field]) => {
      const name = snakeCase(field);
      return ranges[field] !== undefined && ranges[field] !== anyTime
        ? `${row}.${name}::integer AS ${name}`
        : `${row}.${name}`;
    });
  const parts = withParts ? place.keyParts.map((part) => `${row}.${part.name}`) : [];
  const conditions = obstacles(place, row).map(([, condition]) => condition);
  // One CASE: the planner expects that half of the rows pass it. With separate conditions it would expect no rows.
  return `SELECT ${[...values, ...parts].join(", ")}
FROM (
  ${rows.replaceAll("\n", "\n  ")}
) ${row}
WHERE CASE
    WHEN ${conditions.join("\n      OR ")}
    THEN false ELSE true
  END`;
}

/** The view of the records, which replaces im-admin's own table. */
export function recordView(place: Place): string {
  const { name, relation, mapped, isEmpty } = place;
  if (isEmpty || mapped === undefined) {
    const columns = recordFields[name].map(
      ([field, kind]) =>
        `NULL::${columnTypes[kind.name]}${columnTypes[kind.name] === "text" ? ' COLLATE "C"' : ""} AS ${snakeCase(field)}`,
    );
    return `CREATE VIEW ${relation} AS
  SELECT ${columns.join(", ")} WHERE false;`;
  }
  return `CREATE VIEW ${relation} AS
  ${listable(
    place,
    recordRows(place, mapped.from, () => true),
    () => true,
    true,
  ).replaceAll("\n", "\n  ")};`;
}
