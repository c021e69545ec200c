/**
 * The tables of listed rows: the keys of the records, with the columns that lists sort by. Records may be in tables of a
 * host, which have other columns and other writers. Only im-admin writes listed rows. Each list is an index of its table.
 */
import { type RecordName, recordKeys, recordNames } from "../../../records.js";
import { kindOf } from "../../lists/digits.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { managingRoles } from "../../lists/groupRequests.js";
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { placingFields } from "../../lists/placing.js";
import { all, columnsOf, join, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import { hasKey, isInAnyList, isInList, keyOf, ownerOf } from "./keys.js";
import { columnType } from "./recordColumns.js";
import type { SchemaObject } from "./schemaObject.js";

/** A table of listed rows. It has the name of the records whose keys it has. */
export interface Listed {
  table: RecordName;
  key: readonly string[];
  /** The columns beside the key: those that decide in which lists a row is, and where. */
  placing: readonly string[];
  /** The same, and the nickname if a list is searched. */
  fields: readonly string[];
  lists: readonly ListDefinition[];
}

export const listed: readonly Listed[] = recordNames.flatMap((table) => {
  const own = lists.filter((list) => list.table === table);
  const key: readonly string[] = recordKeys[table];
  const placing = placingFields[table].map(([field]) => field);
  const searched = own.some(({ isSearched }) => isSearched) ? ["nickname"] : [];
  return own.length === 0 ? [] : { table, key, placing, fields: [...new Set([...placing, ...searched])], lists: own };
});

/** The listed rows of a kind of records; undefined for groups and conversations, which are in no list of their own. */
export function listedOf(record: RecordName): Listed | undefined {
  return listed.find(({ table }) => table === record);
}

/** A SELECT of the rows that should be listed. `from` names the records as `source`. */
export function rightRows({ table, key, fields }: Listed, from: Sql, condition: Sql = all([])): Sql {
  return sql`
    SELECT ${columnsOf("source", [...key, ...fields])} FROM ${from}
      WHERE ${all([condition, ...isInAnyList(table, "source")])}`;
}

/** The answered nickname of a row or record of a searched list. That of a member may be the profile's. */
export function answeredNickname({ table }: Pick<ListDefinition, "table">, row: Sql): Sql {
  if (table === "users") return sql`${row}.nickname`;
  return sql`
    (CASE ${row}.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users found WHERE ${hasKey("users", "found", "userID", sql`${row}.user_id`)}), '')
      ELSE ${row}.nickname END)`;
}

/** im-admin's table with the rows of a list: `im_admin_listed_group_members`. */
export function listedTable({ table }: Pick<ListDefinition, "table">): Sql {
  return our(`listed_${table}`);
}

/** The index with the rows of a list in their order. */
export function orderIndex({ name }: Pick<ListDefinition, "name">): string {
  return ourName(`${name}InOrder`);
}

/** The rows of a list by its index, as an alias if one is given. */
export function rowsInOrder(list: ListDefinition, alias = ""): Sql {
  return sql`${listedTable(list)} ${raw(alias && `${alias} `)}INDEXED BY ${name(orderIndex(list))}`;
}

/** The condition that a member manages the group. */
export const isManaging = raw(`role_level IN (${managingRoles.join(", ")})`);

/** The index of the groups that a user manages. */
export const managedGroups = orderIndex({ name: "managedGroups" });

/** The tables and their indexes. */
export function listedObjects(): SchemaObject[] {
  return listed.flatMap((own) => [tableOf(own), ...indexesOf(own)]);
}

function tableOf(own: Listed): SchemaObject {
  const columns = [...own.key, ...own.fields].map(
    (column) => sql`${name(column)} ${raw(columnType(kindOf(own.table, column)))} NOT NULL`,
  );
  const parts = [...columns, sql`PRIMARY KEY (${names(own.key)})`];
  return {
    type: "table",
    name: listedTable(own).text,
    sql: sql`
      CREATE TABLE ${listedTable(own)} (
        ${join(parts, ",\n")}
      ) WITHOUT ROWID`,
  };
}

/** The indexes of a table of listed rows: for each list, its rows by owner and key. */
export function indexesOf({ table, lists }: Listed): SchemaObject[] {
  const index = (indexName: string, columns: Sql, conditions: readonly Sql[]): SchemaObject => ({
    type: "index",
    name: indexName,
    sql: sql`
      CREATE INDEX ${name(indexName)}
        ON ${listedTable({ table })} (${columns})${conditions.length === 0 ? sql`` : sql` WHERE ${all(conditions)}`}`,
  });
  const inOrder = lists.map((list) => {
    const { owner, dividedBy, order } = list;
    const own = owner === undefined ? [] : [ownerOf(list)];
    const conditions = isInList(list);
    // Without the columns that these are made of, SQLite would look up each row, although it computes nothing of them.
    const made = [
      ...order.map(({ field }) => field),
      ...(dividedBy === undefined ? [] : [dividedBy]),
      ...(list.least === undefined || conditions.length === 0 ? [] : [list.least.field]),
    ];
    const columns = [...new Set(made)].filter((field) => !recordKeys[table].includes(field));
    return index(orderIndex(list), join([...own, keyOf(list), ...columns.map(name)]), conditions);
  });
  return table === groupMembers.table
    ? [...inOrder, index(managedGroups, sql`user_id, group_id`, [isManaging])]
    : inOrder;
}
