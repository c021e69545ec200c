/** The tables of listed rows, and their indexes. */
import { groupMembers } from "../../lists/groupMembers.js";
import { listedTables } from "../../lists/list.js";
import { join, name, names, raw, sql } from "../sql.js";
import { keyOf } from "./keys.js";
import { isManaging, type Listed, listed, listedTable, managedGroups, orderIndex } from "./listed.js";
import type { SchemaObject } from "./schemaObject.js";

const managedIndex: SchemaObject = {
  type: "index",
  name: managedGroups,
  sql: sql`
    CREATE INDEX ${name(managedGroups)}
      ON ${listedTable(groupMembers)} (user_id, group_id) WHERE ${isManaging}`,
};

/** The indexes of a table of listed rows: for each list, its rows by owner and key. */
export function indexesOf({ table, lists }: Listed): SchemaObject[] {
  const inOrder = lists.map((list): SchemaObject => {
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
  return table === "groupMembers" ? [...inOrder, managedIndex] : inOrder;
}

const texts = new Set(["nickname", ...Object.values(listedTables).flatMap(({ key }) => key as readonly string[])]);

/** The number of a member, from which the id of its document is made. */
const memberID = sql`id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295)`;

/** The tables and their indexes. */
export const listedObjects: readonly SchemaObject[] = listed.flatMap((own) => {
  const columns = [...own.key, ...own.fields].map(
    (column) => sql`${name(column)} ${raw(texts.has(column) ? "TEXT" : "INTEGER")} NOT NULL`,
  );
  const isNumbered = own.table === "groupMembers";
  const parts = [
    ...(isNumbered ? [memberID] : []),
    ...columns,
    sql`${raw(isNumbered ? "UNIQUE" : "PRIMARY KEY")} (${names(own.key)})`,
  ];
  const table: SchemaObject = {
    type: "table",
    name: listedTable(own).text,
    sql: sql`
      CREATE TABLE ${listedTable(own)} (
        ${join(parts, ",\n")}
      )${raw(isNumbered ? "" : " WITHOUT ROWID")}`,
  };
  return [table, ...indexesOf(own)];
});
