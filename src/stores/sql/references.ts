import type { SqlDatabase } from "./database.js";

/** Rows that name a user or a group that is not there; the lists answer such rows with empty profiles. */
export interface DanglingReference {
  /** The table with the rows, and the column that names the missing record. */
  table: string;
  column: string;
  /** The table that lacks the record. */
  missingFrom: string;
  rows: number;
  /** One of the missing identifiers. */
  example: string;
}

const references = [
  { table: "groupMembers", column: "groupID", missingFrom: "groups" },
  { table: "groupMembers", column: "userID", missingFrom: "users" },
  { table: "blacks", column: "ownerUserID", missingFrom: "users" },
  { table: "blacks", column: "blackUserID", missingFrom: "users" },
  { table: "groupRequests", column: "groupID", missingFrom: "groups" },
  { table: "groupRequests", column: "userID", missingFrom: "users" },
  { table: "conversations", column: "ownerUserID", missingFrom: "users" },
  { table: "conversations", column: "userID", missingFrom: "users" },
  { table: "conversations", column: "groupID", missingFrom: "groups" },
];

/** Finds what foreign keys would forbid, which the tables do without. */
export async function danglingReferences(database: SqlDatabase): Promise<DanglingReference[]> {
  const counts = await database.read(
    references.map(({ table, column, missingFrom }) => ({
      sql: `SELECT count(*) AS rows, min(${column}) AS example FROM ${table} WHERE ${column} <> '' AND NOT EXISTS
        (SELECT 1 FROM ${missingFrom} parent WHERE parent.${missingFrom.slice(0, -1)}ID = ${table}.${column})`,
      values: [],
    })),
  );
  return references
    .map((reference, index) => {
      const { rows, example } = counts[index]?.[0] ?? {};
      return { ...reference, rows: Number(rows), example: String(example) };
    })
    .filter(({ rows }) => rows > 0);
}
