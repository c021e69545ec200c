/**
 * The join requests that each manager of a group has received, as rows of a table: lists have entries of one table, and
 * these are made of two. A row is there where its request and a member with a managing role are.
 */
import { procedure, type SchemaObject } from "../schema/schemaObject.js";
import { ourName, sql } from "../sql.js";
import { isManaging } from "./managing.js";

export const receivedTables: readonly SchemaObject[] = [
  {
    type: "table",
    name: ourName("receivedGroupRequests"),
    sql: sql`
      CREATE TABLE im_admin_received_group_requests (
        manager_user_id TEXT NOT NULL,
        group_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        req_time INTEGER NOT NULL,
        handle_result INTEGER NOT NULL,
        PRIMARY KEY (group_id, user_id, manager_user_id)
      ) STRICT, WITHOUT ROWID`,
  },
  procedure("renewRequest", { groupID: "TEXT", userID: "TEXT" }),
  procedure("renewManager", { groupID: "TEXT", userID: "TEXT", roleLevel: "INTEGER" }),
];

/** Who manages a group. */
export const managersIndex: SchemaObject = {
  type: "index",
  name: ourName("groupMembersManaging"),
  sql: sql`CREATE INDEX im_admin_group_members_managing ON im_admin_group_members (group_id, user_id) WHERE ${isManaging}`,
};

/** What the rows have to be. */
export const receivedRows = sql`
  SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
    FROM im_admin_group_requests request CROSS JOIN im_admin_group_members manager INDEXED BY im_admin_group_members_managing
      ON manager.group_id = request.group_id AND manager.${isManaging}`;
