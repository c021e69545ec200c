/** The lists in PostgreSQL, made of their definitions, and the functions that make and read their keys. */
import { forEachKind, type RecordName, recordKeys } from "../../../records.js";
import { kindOf, offsetOf } from "../../lists/digits.js";
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { snakeCase } from "../../snakeCase.js";
import { columnTypes } from "../schema/recordTables.js";

/** An expression over the columns of a record. */
type OfRow = (row: string) => string;

/** Describes one list of a kind of record. */
export interface ListSql {
  /** The name of the list, as in `list_rows`. */
  list: string;
  record: RecordName;
  /** The field with the parent, the group or user of the list; undefined for the one list of all accounts. */
  parent: string | undefined;
  /** The owner of a row's list, from expressions for the fields of the row. */
  owner: (of: (field: string) => string) => string;
  /** The field that names the row within the list. */
  id: string;
  key: OfRow;
  /** A field of a key, as an expression over the key. */
  partOfKey: (field: string, key: string) => string;
  /** Which rows are listed; undefined for all. */
  condition: OfRow | undefined;
  /** The nickname that keywords are searched in, beside the ID. It may use the joined profile. */
  name: OfRow | undefined;
}

const nickname = (row: string) => `${row}.nickname`;

/** The answered nickname of a member, which may be that of the profile. */
const memberName: OfRow = (row) =>
  `CASE ${row}.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE ${row}.nickname END`;

function sqlOf({ name, table, owner: parent, dividedBy, order, least, isSearched = false }: ListDefinition): ListSql {
  const list = snakeCase(name);
  const fields = order.map(({ field }) => field);
  return {
    list,
    record: table,
    parent,
    owner: (of) => {
      if (parent === undefined) return "''";
      return dividedBy === undefined ? of(parent) : `im_admin.part_of_owner(${of(parent)}, ${of(dividedBy)}::text)`;
    },
    id: fields.at(-1) ?? "",
    key: (row) => `im_admin.${list}_key(${fields.map((field) => `${row}.${snakeCase(field)}`).join(", ")})`,
    partOfKey: (field, key) => partOfKey(table, fields, field, key),
    condition: least && ((row) => `${row}.${snakeCase(least.field)} >= ${least.value}`),
    name: isSearched ? (table === "groupMembers" ? memberName : nickname) : undefined,
  };
}

/** The numbers at the beginning of a key have a fixed number of digits. From the first text on, U+0001 separates the parts. */
function partOfKey(table: RecordName, fields: readonly string[], field: string, key: string): string {
  const offsets = fields.map((one) => offsetOf(table, one));
  const numbers = offsets.slice(0, offsets.indexOf(undefined));
  const parts = fields.slice(numbers.length);
  const start = numbers.reduce<number>((length, offset) => length + String(offset).length, 1);
  const ofParts = start === 1 ? key : `substr(${key}, ${start})`;
  return parts.length === 1 ? ofParts : `split_part(${ofParts}, chr(1), ${parts.indexOf(field) + 1})`;
}

/** The columns of a row, by fields. */
export function fieldsOver(row: string): (field: string) => string {
  return (field) => `${row}.${snakeCase(field)}`;
}

/** All lists. */
export const allLists: readonly ListSql[] = lists.map(sqlOf);

/** The lists that each kind of record is in. */
export const listsOf: Readonly<Record<RecordName, readonly ListSql[]>> = forEachKind((name) =>
  allLists.filter(({ record }) => record === name),
);

const quoted = (names: readonly ListSql[]) => names.map(({ list }) => `'${list}'`).join(", ");

/** The functions that make the keys of lists, and say what each list is. */
export const listFunctions: readonly string[] = [
  ...lists.map(keyFunction),
  described(
    "part_of_owner(parent text, part text) RETURNS text",
    "parent || chr(1) || part",
    "The owner of one of the lists of a group or user, where each value of a field has a list of its own.",
  ),
  described(
    "record_of(list text) RETURNS text",
    `CASE list
${allLists.map(({ list, record }) => `    WHEN '${list}' THEN '${snakeCase(record)}'`).join("\n")}
  END`,
    "The kind of records that a list has.",
  ),
  described(
    "list_parent(owner text) RETURNS text",
    "split_part(owner, chr(1), 1)",
    "The group or user of a list, from its owner.",
  ),
  described(
    "key_id(list text, key text) RETURNS text",
    `CASE list
${allLists.map(({ list, id, partOfKey }) => `    WHEN '${list}' THEN ${partOfKey(id, "key")}`).join("\n")}
  END`,
    "The ID at the end of a key.",
  ),
  described("list_names() RETURNS text[]", `ARRAY[${quoted(allLists)}]`, "The names of all lists."),
  described(
    "is_searched(list text) RETURNS boolean",
    `list IN (${quoted(allLists.filter(({ name }) => name !== undefined))})`,
    "Whether a list can be searched for keywords.",
  ),
  described(
    "has_tree_always(list text) RETURNS boolean",
    `list IN (${quoted(allLists.filter(({ parent }) => parent === undefined))})`,
    "Whether a list has a tree even if it is short: your own table of users may have no index that finds accounts.",
  ),
];

function keyFunction(definition: ListDefinition): string {
  const { list } = sqlOf(definition);
  const { table, order } = definition;
  const parameters = order.map(({ field }) => `${snakeCase(field)} ${columnTypes[kindOf(table, field).name]}`);
  const firstText = order.findIndex(({ field }) => offsetOf(table, field) === undefined);
  const parts = order.map(({ field, direction }, index) => {
    const offset = offsetOf(table, field);
    const column = snakeCase(field);
    const value =
      offset === undefined ? column : `(${offset} ${direction === "ascending" ? "+" : "-"} ${column})::text`;
    return index < firstText || index === order.length - 1 ? value : `${value} || chr(1)`;
  });
  const sorted = order.map(({ field, direction }) => `${snakeCase(field)} ${direction}`);
  return described(
    `${list}_key(${parameters.join(", ")}) RETURNS text`,
    parts.join(" || "),
    `The key of a row of ${list}. It sorts by ${sorted.join(", ")}.`,
  );
}

function described(signature: string, value: string, comment: string): string {
  return `CREATE OR REPLACE FUNCTION im_admin.${signature}
  LANGUAGE sql IMMUTABLE RETURN ${value};
COMMENT ON FUNCTION im_admin.${signature.slice(0, signature.indexOf("("))} IS '${comment}';`;
}

/** Which part of a touched key has a field of the record's key. */
function touchedPart(record: RecordName, field: string): "first" | "second" {
  return recordKeys[record][0] === field ? "first" : "second";
}

/** The functions that say which lists are concerned by a touched key, and which keys concern a list. */
export const touchedFunctions: readonly string[] = [
  `CREATE OR REPLACE FUNCTION im_admin.touched_lists(record text, first text, second text)
  RETURNS TABLE (list text, parent text, id text) LANGUAGE sql IMMUTABLE BEGIN ATOMIC
  SELECT concerned.list, concerned.parent, concerned.id FROM (
      VALUES
        ${allLists
          .map(({ list, record, parent, id }) => {
            const owner = parent === undefined ? "''" : touchedPart(record, parent);
            return `('${snakeCase(record)}', '${list}', ${owner}, ${touchedPart(record, id)})`;
          })
          .join(",\n        ")}
    ) concerned (record, list, parent, id) WHERE concerned.record = touched_lists.record;
END;
COMMENT ON FUNCTION im_admin.touched_lists IS 'The lists that a touched key concerns. parent: NULL for any; id: NULL for all rows of these lists.';`,
  `CREATE OR REPLACE FUNCTION im_admin.touched_ids(asked_list text, asked_parent text) RETURNS TABLE (id text)
  LANGUAGE sql STABLE BEGIN ATOMIC
${allLists
  .flatMap(({ list, record, parent, id }) => {
    const from = `  SELECT key.${touchedPart(record, id)} FROM im_admin.touched key
    WHERE asked_list = '${list}' AND key.record = '${snakeCase(record)}'`;
    if (parent === undefined) return [from];
    const part = touchedPart(record, parent);
    return [`${from} AND key.${part} = asked_parent`, `${from} AND key.${part} IS NULL`];
  })
  .join("\n  UNION ALL\n")};
END;
COMMENT ON FUNCTION im_admin.touched_ids IS 'The IDs of a list that were touched, and are not settled yet. NULL: any of its rows may have been.';`,
];
