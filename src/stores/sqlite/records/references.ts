import { recordKeys } from "../../../records.js";
import { type DanglingReference, references } from "../../references.js";
import type { SqlDatabase } from "../database.js";
import { hasKey } from "../schema/keys.js";
import { name, our, sql } from "../sql.js";

/** Finds the rows that foreign keys would forbid. The tables have no foreign keys. */
export async function danglingReferences(database: SqlDatabase): Promise<DanglingReference[]> {
  const counts = await database.read(
    references.map(({ table, column, missingFrom }) => {
      const isParent = hasKey(missingFrom, "parent", recordKeys[missingFrom][0], sql`${our(table)}.${name(column)}`);
      return sql`
        SELECT count(*) AS rows, min(${name(column)}) AS example FROM ${our(table)}
          WHERE ${name(column)} <> '' AND NOT EXISTS (
            SELECT 1 FROM ${our(missingFrom)} parent WHERE ${isParent})`;
    }),
  );
  return references
    .map((reference, index) => {
      const { rows, example } = counts[index]?.[0] ?? {};
      return { ...reference, rows: Number(rows), example: String(example) };
    })
    .filter(({ rows }) => rows > 0);
}
