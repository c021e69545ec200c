import { recordKeys } from "../../../records.js";
import type { SqlDatabase } from "../database.js";
import { name, sql } from "../sql.js";

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
] as const;

/** Finds what foreign keys would forbid, which the tables do without. */
export async function danglingReferences(database: SqlDatabase): Promise<DanglingReference[]> {
  const counts = await database.read(
    references.map(({ table, column, missingFrom }) => {
      const key = name(recordKeys[missingFrom][0]);
      return sql`
        SELECT count(*) AS rows, min(${name(column)}) AS example FROM ${name(table)}
          WHERE ${name(column)} <> '' AND NOT EXISTS (
            SELECT 1 FROM ${name(missingFrom)} parent WHERE parent.${key} = ${name(table)}.${name(column)})`;
    }),
  );
  return references
    .map((reference, index) => {
      const { rows, example } = counts[index]?.[0] ?? {};
      return { ...reference, rows: Number(rows), example: String(example) };
    })
    .filter(({ rows }) => rows > 0);
}
