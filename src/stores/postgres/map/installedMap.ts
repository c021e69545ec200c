/** Reads the installed map of a schema. */

import { defineTables, type TableMap } from "../../../tables/map.js";
import type { TablesSql } from "../../../tables/statements.js";
import { type Queryable, run } from "../database.js";
import { type Sql, sql } from "../sql.js";
import { postgresSql } from "./mapStatements.js";

/** A map, and the roles whose tables it may read beside those of the schema's owner. */
export interface InstalledMap {
  map: TableMap;
  trustedOwners: readonly string[];
}

/** The installed map of a schema; undefined if all records are in im-admin's own tables. */
export async function installedMap(queryable: Queryable, schema: Sql): Promise<InstalledMap | undefined> {
  const [row] = await run(
    queryable,
    sql`SELECT map, to_json(trusted_owners)::text AS trusted FROM ${schema}.table_map`,
  );
  if (row === undefined) return undefined;
  const map = defineTables(JSON.parse(String(row["map"])) as TableMap);
  return { map, trustedOwners: JSON.parse(String(row["trusted"])) as string[] };
}

/** The statements of the installed map. */
export async function installedSql(queryable: Queryable, schema: Sql): Promise<TablesSql | undefined> {
  return sqlOf(await installedMap(queryable, schema), schema);
}

export function sqlOf(installed: InstalledMap | undefined, schema: Sql): TablesSql | undefined {
  return installed && postgresSql(installed.map, schema, installed.trustedOwners);
}
