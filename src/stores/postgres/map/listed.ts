/** The lists in PostgreSQL, made of their definitions, and the functions that make and read their keys. */
import { forEachKind, type RecordName, recordFields, recordKeys } from "../../../records.js";
import { offsetOf } from "../../lists/digits.js";
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { snakeCase } from "../../snakeCase.js";
import { columnTypes } from "../schema/recordTables.js";

/** An expression over the columns of a record. */
type OfRow = (row: string) => string;

/** Describes one list of a kind of record. */
export interface Listed {
  /** The name of the list, as in `list_rows`. */
  list: string;
  record: RecordName;
  /** The field with the parent, the group or user of the list; undefined for the one list of all accounts. */
  parent: string | undefined;
  /** The owner of a row's list, from expressions for the fields of the row. */
  owner: (of: (field: string) => string) => string;
  /** Whether a parent has several of these lists. */
  isDivided: boolean;
  /** The field that names the row within the list. */
  id: string;
  /** The fields that the key is made of. */
  fields: readonly string[];
  key: OfRow;
  /** A field of a key, as an expression over the key. */
  partOfKey: (field: string, key: string) => string;
  /** Which rows are listed; undefined for all. */
  condition: OfRow | undefined;
  /** The nickname that keywords are searched in, beside the ID. It may use the joined profile. */
  name: OfRow | undefined;
}

const nickname = (row: string) => `${row}.nickname`;

/** The names of the rows of those lists that are searched. */
const searched: Readonly<Record<string, OfRow>> = {
  groupMembers: (row) => `CASE ${row}.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE ${row}.nickname END`,
  notificationAccounts: nickname,
  notificationAccountsByLevel: nickname,
};

function listedOf({ name, table, owner: parent, order, least }: ListDefinition): Listed {
  const list = snakeCase(name);
  // The requests of each result are a list of their own, since a read merges lists of several groups by their keys.
  const isDivided = order[0]?.field === "handleResult";
  const fields = order.map(({ field }) => field).slice(isDivided ? 1 : 0);
  return {
    list,
    record: table,
    parent,
    owner: (of) => {
      if (parent === undefined) return "''";
      return isDivided ? `im_admin.requests_of(${of(parent)}, ${of("handleResult")})` : of(parent);
    },
    isDivided,
    id: fields.at(-1) ?? "",
    fields,
    key: (row) => `im_admin.${list}_key(${fields.map((field) => `${row}.${snakeCase(field)}`).join(", ")})`,
    partOfKey: (field, key) => partOfKey(fields, field, key),
    condition: least && ((row) => `${row}.${snakeCase(least.field)} >= ${least.value}`),
    name: searched[name],
  };
}

/** Numbers come first in a key and have a fixed number of digits. U+0001 separates texts. */
function partOfKey(fields: readonly string[], field: string, key: string): string {
  const numbers = fields.map(offsetOf).filter((offset) => offset !== undefined);
  const texts = fields.slice(numbers.length);
  const start = numbers.reduce<number>((length, offset) => length + String(offset).length, 1);
  const ofTexts = start === 1 ? key : `substr(${key}, ${start})`;
  return texts.length === 1 ? ofTexts : `split_part(${ofTexts}, chr(1), ${texts.indexOf(field) + 1})`;
}

/** The columns of a row. */
export function columnsOf(row: string): (field: string) => string {
  return (field) => `${row}.${snakeCase(field)}`;
}

/** All lists. */
export const allListed: readonly Listed[] = lists.map(listedOf);

/** The lists that each kind of record is in. */
export const listed: Readonly<Record<RecordName, readonly Listed[]>> = forEachKind((name) =>
  allListed.filter(({ record }) => record === name),
);

const quoted = (names: readonly Listed[]) => names.map(({ list }) => `'${list}'`).join(", ");

/** The functions that make the keys of lists, and say what each list is. */
export const listFunctions: readonly string[] = [
  ...lists.map(keyFunction),
  described(
    "requests_of(group_id text, handle_result bigint) RETURNS text",
    "group_id || chr(1) || handle_result::text",
    "The owner of the list of the requests of a group with one result.",
  ),
  described(
    "record_of(list text) RETURNS text",
    `CASE list
${allListed.map(({ list, record }) => `    WHEN '${list}' THEN '${snakeCase(record)}'`).join("\n")}
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
${allListed.map(({ list, id, partOfKey }) => `    WHEN '${list}' THEN ${partOfKey(id, "key")}`).join("\n")}
  END`,
    "The ID at the end of a key.",
  ),
  described("list_names() RETURNS text[]", `ARRAY[${quoted(allListed)}]`, "The names of all lists."),
  described(
    "is_searched(list text) RETURNS boolean",
    `list IN (${quoted(allListed.filter(({ name }) => name !== undefined))})`,
    "Whether a list can be searched for keywords.",
  ),
  described(
    "has_tree_always(list text) RETURNS boolean",
    `list IN (${quoted(allListed.filter(({ parent }) => parent === undefined))})`,
    "Whether a list has a tree even if it is short: your own table of users may have no index that finds accounts.",
  ),
];

function keyFunction(definition: ListDefinition): string {
  const { list, fields } = listedOf(definition);
  const kinds = new Map(recordFields[definition.table]);
  const parameters = fields.map((field) => `${snakeCase(field)} ${columnTypes[kinds.get(field)?.name ?? "text"]}`);
  const parts = fields.map((field, index) => {
    const offset = offsetOf(field);
    const column = snakeCase(field);
    if (offset === undefined) return index === fields.length - 1 ? column : `${column} || chr(1)`;
    const isAscending = definition.order.some((part) => part.field === field && part.direction === "ascending");
    return `(${offset} ${isAscending ? "+" : "-"} ${column})::text`;
  });
  const order = definition.order
    .filter(({ field }) => fields.includes(field))
    .map(({ field, direction }) => `${snakeCase(field)} ${direction}`);
  return described(
    `${list}_key(${parameters.join(", ")}) RETURNS text`,
    parts.join(" || "),
    `The key of a row of ${list}. It sorts by ${order.join(", ")}.`,
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
        ${allListed
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
${allListed
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
