/**
 * The tables of listed rows: the keys of the records, with the columns that lists sort by. Records may be in tables of a
 * host, which have other columns and other writers. Only im-admin writes listed rows.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { managingRoles } from "../../lists/groupRequests.js";
import { lists } from "../../lists/index.js";
import { type ListDefinition, type ListedTable, listedTables } from "../../lists/list.js";
import { all, columnsOf, literal, name, our, ourName, raw, type Sql, sql } from "../sql.js";

/** A table of listed rows. It has the name of the records whose keys it has. */
export interface Listed {
  table: ListedTable;
  key: readonly string[];
  /** The columns beside the key. */
  fields: readonly string[];
  lists: readonly ListDefinition[];
}

export const listed: readonly Listed[] = (Object.keys(listedTables) as ListedTable[]).map((table) => {
  const own = lists.filter((list) => list.table === table);
  const key: readonly string[] = recordKeys[table];
  const sorted: readonly string[] = listedTables[table].fields;
  const covered = own.flatMap(({ covers = [] }) => covers);
  return {
    table,
    key,
    fields: [...new Set([...sorted, ...covered])].filter((column) => !key.includes(column)),
    lists: own,
  };
});

/** The listed rows of a kind of records; undefined for groups and conversations, which are in no list of their own. */
export function listedOf(record: RecordName): Listed | undefined {
  return listed.find(({ table }) => table === record);
}

/** A SELECT of the rows that should be listed. `from` names the records as `source`. */
export function rightRows({ key, fields, lists }: Listed, from: Sql, condition: Sql = all([])): Sql {
  const least = lists.flatMap(({ least }) => least ?? [])[0];
  const isListed = least === undefined ? [] : [sql`source.${name(least.field)} >= ${literal(least.value)}`];
  return sql`
    SELECT ${columnsOf("source", [...key, ...fields])} FROM ${from}
      WHERE ${all([condition, ...isListed])}`;
}

/** im-admin's table with the rows of a list: `im_admin_listed_group_members`. */
export function listedTable({ table }: Pick<ListDefinition, "table">): Sql {
  return our(`listed_${table}`);
}

/** The index with the rows of a list in their order. */
export function orderIndex({ name }: Pick<ListDefinition, "name">): string {
  return ourName(`${name}InOrder`);
}

/** The condition that a member manages the group. */
export const isManaging = raw(`role_level IN (${managingRoles.join(", ")})`);

/** The index of the groups that a user manages. */
export const managedGroups = orderIndex({ name: "managedGroups" });
