/** Rows that refer to a user or a group that does not exist. The lists answer such rows with empty profiles. */
export interface DanglingReference {
  /** The table with the rows, and the column that refers to the missing record. */
  table: string;
  column: string;
  /** The table that lacks the record. */
  missingFrom: string;
  rows: number;
  /** One of the missing identifiers. */
  example: string;
}

/** The columns that refer to records of another table. An empty column refers to none. */
export const references = [
  { table: "groupMembers", column: "groupID", missingFrom: "groups" },
  { table: "groupMembers", column: "userID", missingFrom: "users" },
  { table: "blacks", column: "ownerUserID", missingFrom: "users" },
  { table: "blacks", column: "blackUserID", missingFrom: "users" },
  { table: "groupRequests", column: "groupID", missingFrom: "groups" },
  { table: "groupRequests", column: "userID", missingFrom: "users" },
  { table: "conversations", column: "ownerUserID", missingFrom: "users" },
  { table: "conversations", column: "userID", missingFrom: "users" },
  { table: "conversations", column: "groupID", missingFrom: "groups" },
] as const;
