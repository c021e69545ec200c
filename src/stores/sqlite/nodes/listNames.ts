/** The names of a list's kept data and records. */
import type { RecordName } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { managingRoles } from "../../lists/receivedGroupRequests.js";
import { our, ourName, raw, type Sql } from "../sql.js";

/** The kind of records that a list shows. */
export function recordOf({ table }: Pick<ListDefinition, "table">): RecordName {
  return table === "receivedGroupRequests" ? "groupRequests" : table;
}

/** The condition that a member manages the group. */
export const isManaging = raw(`role_level IN (${managingRoles.join(", ")})`);

/** im-admin's table with the rows of a list: `im_admin_listed_group_members`. */
export function listedTable({ table }: Pick<ListDefinition, "table">): Sql {
  return our(listedName(table));
}

/** The same name without the prefix of all our names, for composing other names of the schema. */
export function listedName(table: ListDefinition["table"]): string {
  return `listed_${table}`;
}

/** The index with the rows of a list in their order. */
export function orderIndex({ name }: Pick<ListDefinition, "name">): string {
  return ourName(`${name}InOrder`);
}

/** The index of the groups that a user manages. */
export const managedGroups = orderIndex({ name: "managedGroups" });
