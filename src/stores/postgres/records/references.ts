import { recordKeys } from "../../../records.js";
import { type DanglingReference, references } from "../../references.js";
import { type PostgresPool, requireMapped, run } from "../database.js";
import { snake } from "../names.js";
import { type Sql, sql } from "../sql.js";

/** Finds the rows that foreign keys would forbid. The tables have no foreign keys. */
export async function danglingReferences(pool: PostgresPool, schema: Sql): Promise<DanglingReference[]> {
  await requireMapped(pool, schema);
  const found: DanglingReference[] = [];
  for (const reference of references) {
    const { table, column, missingFrom } = reference;
    const [row] = await run(
      pool,
      sql`
        SELECT count(*)::text AS rows, min(child.${snake(column)}) AS example FROM ${schema}.${snake(table)} child
          WHERE child.${snake(column)} <> '' AND NOT EXISTS (
            SELECT FROM ${schema}.${snake(missingFrom)} parent
              WHERE parent.${snake(recordKeys[missingFrom][0])} = child.${snake(column)})`,
    );
    const rows = Number(row?.["rows"]);
    if (rows > 0) found.push({ ...reference, rows, example: String(row?.["example"]) });
  }
  return found;
}
