/** How what is kept for a list is called, and where its records are. */
import type { RecordName } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { managingRoles } from "../../lists/receivedGroupRequests.js";
import { our, ourName, raw, type Sql } from "../sql.js";

/** The records that are listed. */
export function recordOf({ table }: Pick<ListDefinition, "table">): RecordName {
  return table === "receivedGroupRequests" ? "groupRequests" : table;
}

/** Which members manage their group. */
export const isManaging = raw(`role_level IN (${managingRoles.join(", ")})`);

/** The table of im-admin's own that has the rows of a list: `im_admin_listed_group_members`. */
export function listedTable({ table }: Pick<ListDefinition, "table">): Sql {
  return our(listedName(table));
}

/** The same without what all names of ours begin with, as names of the schema are composed of. */
export function listedName(table: ListDefinition["table"]): string {
  return `listed_${table}`;
}

/** The index in which the rows of a list stand in their order. */
export function orderIndex({ name }: Pick<ListDefinition, "name">): string {
  return ourName(`${name}InOrder`);
}
