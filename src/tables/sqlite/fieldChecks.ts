/** Refuses a map whose expressions cannot be right, with the name of the field. */
import { keyFields, type RecordName } from "../../records.js";
import { literal, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import { type MappedRecord, mappedRecords, type TableMap } from "../map.js";
import { aliasOf } from "../mapNames.js";
import { listedNumbers } from "../numbers.js";
import { columnsOfKey, keyText } from "./key.js";

/** The place of a part in the map, such as `users.nickname`, and a statement that fails if it cannot be right. */
export interface FieldCheck {
  path: string;
  statement: Sql;
}

/**
 * Statements of which SQLite checks the names when it prepares them. They read no row. SQLite allows neither aggregates
 * nor window functions in WHERE.
 *
 * @throws TypeError for an expression whose value changes without a write
 */
export function fieldChecks(map: TableMap): FieldCheck[] {
  return mappedRecords(map).flatMap(([record, mapped]) => checksOf(record, mapped, map.separator ?? ":"));
}

function checksOf(record: RecordName, mapped: MappedRecord, separator: string): FieldCheck[] {
  const { from, where, fields = {}, also = [] } = mapped;
  const check = (path: string, table: string, condition: Sql): FieldCheck => ({
    path: `${record}.${path}`,
    statement: sql`SELECT ${literal(`${record}.${path}`)} AS checked FROM ${raw(table)} WHERE (${condition}) LIMIT 0`,
  });
  const given = Object.entries<string>(fields);
  for (const [field, text] of given) requireSteady(`${record}.${field}`, text, decides(record, field));
  if (where !== undefined) requireSteady(`${record}.where`, where, true);
  const keysOf = (path: string, table: string, key: Parameters<typeof columnsOfKey>[0]) =>
    keyFields[record].flatMap(([field]) => {
      const columns = columnsOfKey(key, field);
      return columns.length === 0
        ? []
        : [check(`${path}${field}`, table, keyText(columns, raw(aliasOf(table)), separator))];
    });
  return [
    check("from", from, raw("true")),
    ...keysOf("", from, mapped.key),
    ...(where === undefined ? [] : [check("where", from, raw(where))]),
    ...given.map(([field, text]) => check(field, from, raw(text))),
    ...also.flatMap(({ table, key }, index) => keysOf(`also[${index}].`, table, key)),
  ];
}

/** Whether a field decides where its record is listed, or by which words it is found. */
function decides(record: RecordName, field: string): boolean {
  const isWord = field === "nickname" && (record === "users" || record === "groupMembers");
  return isWord || field in (listedNumbers[record] ?? {});
}

/** Functions that differ from call to call. */
const unsteady = /\b(random|randomblob|changes|total_changes|last_insert_rowid)\s*\(/i;

/** The time: a word, a function without arguments, or a function of 'now'. */
const clock = /\bcurrent_(?:date|time|timestamp)\b|\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)|'now'/i;

function requireSteady(path: string, text: string, isDeciding: boolean): void {
  const [, name] = unsteady.exec(text.replace(/'[^']*'/g, "''")) ?? [];
  if (name !== undefined) throw new TypeError(`${path}: ${name}() differs from call to call`);
  if (isDeciding && clock.test(text)) {
    throw new TypeError(`${path}: the time decides, and no write tells im-admin when it does`);
  }
}
