/**
 * The join requests that each manager of a group has received, as rows of a table: lists have entries of one table, and
 * these are made of two. A row is there where its request and a member with a managing role are.
 */
import { procedure, type SchemaObject } from "../schema/schemaObject.js";
import { sql } from "../sql.js";
import { isManaging } from "./managing.js";

export const receivedTables: readonly SchemaObject[] = [
  {
    type: "table",
    name: "receivedGroupRequests",
    sql: sql`
      CREATE TABLE receivedGroupRequests (
        managerUserID TEXT NOT NULL,
        groupID TEXT NOT NULL,
        userID TEXT NOT NULL,
        reqTime INTEGER NOT NULL,
        handleResult INTEGER NOT NULL,
        PRIMARY KEY (groupID, userID, managerUserID)
      ) STRICT, WITHOUT ROWID`,
  },
  procedure("renewRequest", { groupID: "TEXT", userID: "TEXT" }),
  procedure("renewManager", { groupID: "TEXT", userID: "TEXT", roleLevel: "INTEGER" }),
];

/** Who manages a group. */
export const managersIndex: SchemaObject = {
  type: "index",
  name: "groupMembersManaging",
  sql: sql`CREATE INDEX groupMembersManaging ON groupMembers (groupID, userID) WHERE ${isManaging}`,
};

/** What the rows have to be. */
export const receivedRows = sql`
  SELECT manager.userID AS managerUserID, request.groupID, request.userID, request.reqTime, request.handleResult
    FROM groupRequests request CROSS JOIN groupMembers manager INDEXED BY groupMembersManaging
      ON manager.groupID = request.groupID AND manager.${isManaging}`;
