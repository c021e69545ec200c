/** The time of the last import from another server. */
import type { SqlDatabase } from "../database.js";
import { ourName, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

/** Its table. The time is nowhere else, so a repair keeps the table. */
export const lastImportTable: SchemaObject = {
  type: "table",
  name: ourName("lastImport"),
  sql: sql`
    CREATE TABLE im_admin_last_import (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      time INTEGER NOT NULL
    )`,
};

/** When the last complete import began, in milliseconds since 1970; undefined if there was none. */
export async function lastImport(database: SqlDatabase): Promise<number | undefined> {
  const [[row] = []] = await database.read([sql`SELECT time FROM im_admin_last_import`]);
  return row && Number(row["time"]);
}

export async function noteImport(database: SqlDatabase, time: number): Promise<void> {
  await database.write([
    sql`INSERT INTO im_admin_last_import (id, time) VALUES (1, ${time}) ON CONFLICT (id) DO UPDATE SET time = excluded.time`,
  ]);
}
