import { requireKnown } from "../knownOptions.js";
import { defineTables, type TableMap } from "../tables/map.js";
import type { TablesSql } from "../tables/statements.js";
import { postgresSql } from "./postgres/map/mapStatements.js";
import { schemaName } from "./postgres/names.js";
import { sqliteSql } from "./sqlite/upkeep/mapStatements.js";

export type { AlsoTable, KeyColumns, MappedRecord, TableMap } from "../tables/map.js";
export { defineTables } from "../tables/map.js";
export type { TablesSql } from "../tables/statements.js";

/** The database of the tables. */
export interface TablesSqlOptions {
  engine: "postgres" | "sqlite";
  /**
   * The schema of im-admin in PostgreSQL.
   *
   * @default "im_admin"
   */
  schema?: string | undefined;
  /**
   * Roles of PostgreSQL that own tables of the map, if they are others than the role that runs the statements. Who reads
   * a table runs code of its owner: name only roles that you trust with the rights of that role.
   *
   * @default []
   */
  trustedOwners?: readonly string[] | undefined;
}

/**
 * Returns the SQL that puts im-admin's lists over the tables of a map, for your own migrations.
 *
 * @throws TypeError for a map that {@link defineTables} refuses, and for an unknown engine, a bad name of a schema or a
 *   role that is no text; for SQLite, also if a list depends on a table that `also` does not name
 */
export function tablesSql(map: TableMap, options: TablesSqlOptions): TablesSql {
  requireKnown("tablesSql", options, ["engine", "schema", "trustedOwners"]);
  const { engine, schema, trustedOwners = [] } = options;
  if (!Array.isArray(trustedOwners) || !trustedOwners.every((owner) => typeof owner === "string" && owner !== "")) {
    throw new TypeError("trustedOwners must be an array of roles");
  }
  if (engine === "sqlite") return sqliteSql(defineTables(map));
  if (engine !== "postgres") throw new TypeError('engine must be "postgres" or "sqlite"');
  return postgresSql(defineTables(map), schemaName(schema), trustedOwners);
}
