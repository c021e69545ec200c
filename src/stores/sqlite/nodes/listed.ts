/**
 * The tables of what is listed. Records are wherever they are: in tables of im-admin or of a host, which others write as
 * they like. So lists are made of tables that im-admin alone writes: they have the keys of the records, and the columns
 * that lists are sorted by. Triggers on the records make the listed rows of a key what the records say by then.
 */

import type { RecordName } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { type ListDefinition, type ListedTable, listedTables } from "../../lists/list.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { all, columnsOf, join, literal, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import { keyOf } from "./keys.js";
import { isManaging, listedName, listedTable, orderIndex, recordOf } from "./names.js";

/** A table of listed rows. */
export interface Listed {
  table: ListedTable;
  /** The record whose writes change it. */
  record: RecordName;
  key: readonly string[];
  /** The columns beside the key. */
  fields: readonly string[];
  lists: readonly ListDefinition[];
  /** What its rows have to be, as a SELECT of key and fields; the condition is on the record, `source`. */
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

/** A request is received by each manager of its group. */
function columnsFrom(columns: readonly string[]): Sql {
  return join(
    columns.map((column) =>
      column === "managerUserID" ? sql`manager.user_id AS manager_user_id` : columnsOf("source", [column]),
    ),
  );
}

/** Who manages a group. */
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

/** Documents of members have numbers, which are made of these. */
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
