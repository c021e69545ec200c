/**
 * The tables of listed rows. Records may be in tables of im-admin or of a host, which others write too. So lists are
 * built on tables that only im-admin writes. These have the keys of the records and the columns that lists sort by.
 * After each write, triggers on the records bring the listed rows of the key up to date.
 */

import type { RecordName } from "../../../records.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequests } from "../../lists/groupRequests.js";
import { lists } from "../../lists/index.js";
import { type ListDefinition, type ListedTable, listedTables } from "../../lists/list.js";
import { managingRoles } from "../../lists/receivedGroupRequests.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { all, columnsOf, join, literal, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import { keyOf, rangeOf } from "./keys.js";
import { isManaging, listedName, listedTable, managedGroups, orderIndex, recordOf } from "./listNames.js";

/** A table of listed rows. */
export interface Listed {
  table: ListedTable;
  /** The record whose writes change it. */
  record: RecordName;
  key: readonly string[];
  /** The columns beside the key. */
  fields: readonly string[];
  lists: readonly ListDefinition[];
  /**
   * A SELECT of key and fields for the right rows. The condition is on the record, with the alias `source`. Name the ID
   * of its group as well, if it has one: SQLite does not conclude it where `source` is a view over a table of a host,
   * and would look for managers in all groups.
   */
  rows(condition: Sql, groupID?: Sql): Sql;
}

export const listed: readonly Listed[] = (Object.keys(listedTables) as ListedTable[]).map((table): Listed => {
  const own = lists.filter((list) => list.table === table);
  const { key, fields } = listedTables[table];
  const isOfKey = (column: string) => (key as readonly string[]).includes(column);
  const covered = own.flatMap(({ covers = [] }) => covers).filter((column) => !isOfKey(column));
  const columns = [...fields, ...covered];
  const record = recordOf({ table });
  const least = own.flatMap(({ least }) => least ?? [])[0];
  return {
    table,
    record,
    key,
    fields: columns,
    lists: own,
    rows(condition, groupID) {
      const selected = sql`SELECT ${columnsFrom([...key, ...columns])} FROM`;
      if (table === "receivedGroupRequests") {
        const isOfGroup = groupID === undefined ? [] : [sql`manager.group_id = ${groupID}`];
        return sql`
          ${selected} ${listedTable(groupMembers)} manager INDEXED BY ${name(orderIndex(groupMembers))}
            CROSS JOIN ${our(record)} source ON source.group_id = manager.group_id
            WHERE ${all([condition, ...isOfGroup, managerKeys, sql`manager.${isManaging}`])}
              AND NOT EXISTS (${listOfGroup(sql`manager.group_id`)})`;
      }
      const isListed = least === undefined ? [] : [sql`source.${name(least.field)} >= ${literal(least.value)}`];
      return sql`
        ${selected} ${our(record)} source
          WHERE ${all([condition, ...isListed])}`;
    },
  };
});

/** The keys of managers, and of members with a role between those of managers. */
const managerKeys = sql`
  ${keyOf(groupMembers, "manager")} >= ${literal(rangeOf(groupMembers, Math.max(...managingRoles))[0])}
    AND ${keyOf(groupMembers, "manager")} < ${literal(rangeOf(groupMembers, Math.min(...managingRoles))[1])}`;

/** The total of a group's requests: managers have no copies of requests that have one. */
export function listOfGroup(groupID: Sql): Sql {
  return sql`SELECT 1 FROM im_admin_lists WHERE name = ${literal(groupRequests.name)} AND owner = ${groupID}`;
}

/** Joins each request to the managers of its group, who all receive it. */
function columnsFrom(columns: readonly string[]): Sql {
  return join(
    columns.map((column) =>
      column === "managerUserID" ? sql`manager.user_id AS manager_user_id` : columnsOf("source", [column]),
    ),
  );
}

/** The index of the groups that a user manages. */
export const managedIndex: SchemaObject = {
  type: "index",
  name: managedGroups,
  sql: sql`
    CREATE INDEX ${name(managedGroups)}
      ON ${listedTable(groupMembers)} (user_id, group_id) WHERE ${isManaging}`,
};

/** The indexes of all lists: by owner and key. */
export const orderIndexes: readonly SchemaObject[] = lists.map((list) => {
  const owner = list.owner === undefined ? sql`` : sql`${name(list.owner)}, `;
  const covered = list.covers === undefined ? sql`` : sql`, ${names(list.covers)}`;
  return {
    type: "index",
    name: orderIndex(list),
    sql: sql`
      CREATE INDEX ${name(orderIndex(list))}
        ON ${listedTable(list)} (${owner}${keyOf(list)}${covered})`,
  };
});

const texts = new Set(["nickname", ...Object.values(listedTables).flatMap(({ key }) => key as readonly string[])]);

/** The number of a member, from which the id of its document is made. */
const memberID = sql`id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295)`;

export const listedTableObjects: readonly SchemaObject[] = listed.map(({ table, key, fields }) => {
  const columns = [...key, ...fields].map(
    (column) => sql`${name(column)} ${raw(texts.has(column) ? "TEXT" : "INTEGER")} NOT NULL`,
  );
  const isNumbered = table === "groupMembers";
  const parts = [
    ...(isNumbered ? [memberID] : []),
    ...columns,
    sql`${raw(isNumbered ? "UNIQUE" : "PRIMARY KEY")} (${names(key)})`,
  ];
  return {
    type: "table",
    name: ourName(listedName(table)),
    sql: sql`
      CREATE TABLE ${our(listedName(table))} (
        ${join(parts, ",\n")}
      ) ${raw(isNumbered ? "STRICT" : "STRICT, WITHOUT ROWID")}`,
  };
});

/** The tables whose rows come from a kind of record. */
export function listedFrom(record: RecordName): Listed[] {
  return listed.filter((table) => table.record === record);
}

export function listedOf(table: ListedTable): Listed {
  const found = listed.find((other) => other.table === table);
  if (found === undefined) throw new TypeError(`${table} are not listed`);
  return found;
}
