/**
 * The tables of listed rows. Records may be in tables of im-admin or of a host, which others write too. So lists are
 * built on tables that only im-admin writes. These have the keys of the records and the columns that lists sort by.
 * After each write, triggers on the records bring the listed rows of the key up to date.
 */

import type { RecordName } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { type ListDefinition, type ListedTable, listedTables } from "../../lists/list.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { all, columnsOf, join, literal, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import { keyOf } from "./keys.js";
import { isManaging, listedName, listedTable, orderIndex, recordOf } from "./listNames.js";

/** A table of listed rows. */
export interface Listed {
  table: ListedTable;
  /** The record whose writes change it. */
  record: RecordName;
  key: readonly string[];
  /** The columns beside the key. */
  fields: readonly string[];
  lists: readonly ListDefinition[];
  /** A SELECT of key and fields for the right rows. The condition is on the record, with the alias `source`. */
  rows(condition: Sql): Sql;
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
    rows(condition) {
      const selected = sql`SELECT ${columnsFrom([...key, ...columns])} FROM ${our(record)} source`;
      if (table === "receivedGroupRequests") {
        return sql`
          ${selected}
            CROSS JOIN ${our(listedName("groupMembers"))} manager INDEXED BY ${name(managersIndex.name)}
              ON manager.group_id = source.group_id AND manager.${isManaging}
            WHERE ${condition}`;
      }
      const isListed = least === undefined ? [] : [sql`source.${name(least.field)} >= ${literal(least.value)}`];
      return sql`
        ${selected}
          WHERE ${all([condition, ...isListed])}`;
    },
  };
});

/** Joins each request to the managers of its group, who all receive it. */
function columnsFrom(columns: readonly string[]): Sql {
  return join(
    columns.map((column) =>
      column === "managerUserID" ? sql`manager.user_id AS manager_user_id` : columnsOf("source", [column]),
    ),
  );
}

/** The index of the managers of a group. */
export const managersIndex: SchemaObject = {
  type: "index",
  name: orderIndex({ name: "managers" }),
  sql: sql`
    CREATE INDEX ${name(orderIndex({ name: "managers" }))}
      ON ${our(listedName("groupMembers"))} (group_id, user_id) WHERE ${isManaging}`,
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

export function listedOf(table: ListedTable): Listed {
  const found = listed.find((other) => other.table === table);
  if (found === undefined) throw new TypeError(`${table} are not listed`);
  return found;
}
