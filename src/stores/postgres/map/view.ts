/** The view of a host's table, and its rows that can be listed. */
import type { Kind } from "../../../recordKinds.js";
import { keyFields, type RecordName, recordFields } from "../../../records.js";
import type { KeyColumns } from "../../../tables/map.js";
import { keyColumnNames } from "../../../tables/mapNames.js";
import { digitsOf } from "../../lists/digits.js";
import { placingFields } from "../../lists/placing.js";
import { snakeCase } from "../../snakeCase.js";
import { mostBytes } from "../schema/holds.js";
import { columnTypes } from "../schema/recordTables.js";
import { asSource, bodyOf, castOf, column, fieldValues, keyText, type Place, text } from "./place.js";

/**
 * The reasons why a row cannot be listed, each with its condition. No condition is NULL for a row that can be listed.
 */
export function obstacles(
  { name, alias, separator, keyParts }: Place,
  row: string,
): [reason: string, condition: string][] {
  const tooLong = (field: string): [string, string] => [
    `${field} is longer than ${mostBytes} bytes`,
    `octet_length(${row}.${snakeCase(field)}) > ${mostBytes}`,
  ];
  const separating = (field: string): [string, string] => [
    `${field} contains U+0001`,
    `strpos(${row}.${snakeCase(field)}, chr(1)) > 0`,
  ];
  const others = placingFields[name].flatMap(([field, kind]): [string, string][] => {
    const digits = digitsOf(kind);
    if (digits === undefined) return [tooLong(field), separating(field)];
    const { least, most } = digits;
    return [
      [`${field} is not from ${least} to ${most}`, `${row}.${snakeCase(field)} NOT BETWEEN ${least} AND ${most}`],
    ];
  });
  const keys = keyFields[name].flatMap(([field]): [string, string][] => {
    const id = `${row}.${snakeCase(field)}`;
    const divided = keyParts.filter((part) => part.field === field && part.place < part.parts);
    return [
      [`${field} is NULL or empty`, `coalesce(${id}, '') = ''`],
      tooLong(field),
      separating(field),
      ...divided.map((part): [string, string] => [
        `${field} has ${JSON.stringify(separator)} within ${alias}.${part.column}`,
        `strpos(${row}.${part.name}::text, ${text(separator)}) > 0`,
      ]),
    ];
  });
  return [...keys, ...others];
}

/** Selects the rows of a host's table that match `where`, with all fields and the columns of the key. */
export function recordRows(place: Place): string {
  const { mapped, alias, keyParts } = place;
  const values = fieldValues(place).map(([field, value]) => `${value} AS ${snakeCase(field)}`);
  const parts = keyParts.map((part) => `${column(alias, part.column)} AS ${part.name}`);
  const conditions = recordConditions(place);
  const where = conditions.length === 0 ? "" : `\n  WHERE ${conditions.join("\n    AND ")}`;
  return `SELECT
    ${[...values, ...parts].join(",\n    ")}
  FROM ${asSource(mapped?.from ?? "")}${where}`;
}

/** Which rows of a host's table are records. */
export function recordConditions(place: Place): string[] {
  const { where } = place.mapped ?? {};
  return [...latest(place), ...(where === undefined ? [] : [`(${where})`])];
}

/** Conditions: no row of the same key is later. A row without a value comes before all others. */
function latest({ mapped, alias, separator }: Place): string[] {
  if (mapped?.latest === undefined) return [];
  const order = column(alias, mapped.latest);
  const parts = Object.values<KeyColumns>(mapped.key).flatMap((key) =>
    keyColumnNames(key).length === 0
      ? [keyText(key, alias, separator)]
      : keyColumnNames(key).map((name) => column(alias, name)),
  );
  // In the condition, the names of columns mean the outer row.
  const values = [...parts.map((part, index) => `${part} AS im_admin_key_${index}`), `${order} AS im_admin_order`];
  const same = parts.map((part, index) => `newer.im_admin_key_${index} = ${part}`);
  const isLast = (comparison: string) => `NOT EXISTS (
    SELECT FROM (SELECT ${values.join(", ")} FROM ${asSource(mapped.from)}) newer
      WHERE ${same.join(" AND ")} AND newer.im_admin_order ${comparison})`;
  return [isLast(`> ${order}`), `(${order} IS NOT NULL OR ${isLast("IS NOT NULL")})`];
}

/**
 * Selects the rows of a host's table that can be listed. Where a query looks up one of them, it has this text in place
 * of a view: then the host's indexes are used, whatever collations they have.
 */
export function hostRows(place: Place): string {
  const { name, keyParts } = place;
  const row = "row";
  const values = recordFields[name].map(([field, kind]) => {
    const own = snakeCase(field);
    return typeOf(name, field, kind) === "integer" ? `${row}.${own}::integer AS ${own}` : `${row}.${own}`;
  });
  const parts = keyParts.map((part) => `${row}.${part.name}`);
  const conditions = obstacles(place, row).map(([, condition]) => condition);
  // One CASE: the planner expects that half of the rows pass it. With separate conditions it would expect no rows.
  return `SELECT ${[...values, ...parts].join(", ")}
FROM (
  ${recordRows(place).replaceAll("\n", "\n  ")}
) ${row}
WHERE CASE
    WHEN ${conditions.join("\n      OR ")}
    THEN false ELSE true
  END`;
}

/** What stands behind FROM to read the records: a host's rows, or im-admin's own table or empty view. */
export function recordSource(place: Place): string {
  return place.mapped === undefined ? place.relation : `(${hostRows(place)})`;
}

/** The type of a field over a host's table: an integer where a key or a condition has it, and wide elsewhere. */
function typeOf(name: RecordName, field: string, kind: Kind): string {
  return placingFields[name].some(([placing]) => placing === field) ? columnTypes[kind.name] : castOf(kind);
}

/**
 * The view of the records, which replaces im-admin's own table. It reads a host's table through a function: a view
 * itself would keep the host from altering the columns.
 */
export function recordView(place: Place): string {
  const { name, relation, mapped } = place;
  const fields = recordFields[name].map(([field, kind]) => [snakeCase(field), typeOf(name, field, kind)] as const);
  const collated = (own: string, type: string) => (type === "text" ? `${own} COLLATE "C"` : own);
  if (mapped === undefined) {
    const columns = fields.map(([own, type]) => `${collated(`NULL::${type}`, type)} AS ${own}`);
    return `CREATE VIEW ${relation} AS
  SELECT ${columns.join(", ")} WHERE false;`;
  }
  return `CREATE FUNCTION ${relation}_of_host() RETURNS TABLE (${fields.map((column) => column.join(" ")).join(", ")})
  LANGUAGE sql STABLE AS ${bodyOf(
    `
  SELECT ${fields.map(([own]) => own).join(", ")} FROM (${hostRows(place).replaceAll("\n", "\n  ")}) host
`,
    "host",
  )};
CREATE VIEW ${relation} WITH (security_invoker = true) AS
  SELECT ${fields.map(([own, type]) => `${collated(own, type)} AS ${own}`).join(", ")} FROM ${relation}_of_host();`;
}
