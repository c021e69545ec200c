/** The rights that the present role lacks, with the statements that give them. */

import { mappedRecords, type TableMap } from "../../../tables/map.js";
import { type Queryable, run } from "../database.js";
import { type Sql, sql } from "../sql.js";
import { namesOf, watchedTables } from "./hostLocks.js";

/** Fails if the role must not make the schema where it is not there. */
export async function requireSchemaRights(queryable: Queryable, schema: Sql): Promise<void> {
  await requireRights(
    queryable,
    sql`
      SELECT 'CREATE ON DATABASE ' || quote_ident(current_database())
        WHERE to_regnamespace(${schema.text}) IS NULL AND NOT has_database_privilege(current_database(), 'CREATE')`,
  );
}

/** Fails if the role must not read the tables that a map names, or make triggers on them. */
export async function requireTableRights(queryable: Queryable, map: TableMap): Promise<void> {
  const found = (names: readonly string[]) => sql`
    pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      JOIN unnest(${names}::text[]) given ON parse_ident(given) = ARRAY[nspname, relname]::text[]`;
  const named = found(mappedRecords(map).flatMap(([, mapped]) => namesOf(mapped)));
  await requireRights(
    queryable,
    sql`
      SELECT 'USAGE ON SCHEMA ' || quote_ident(nspname) FROM ${named} WHERE NOT has_schema_privilege(nspname, 'USAGE')
      UNION SELECT format('SELECT ON %I.%I', nspname, relname) FROM ${named}
        WHERE NOT has_any_column_privilege(pg_class.oid, 'SELECT')
      UNION SELECT format('TRIGGER ON %I.%I', nspname, relname) FROM ${found(watchedTables(map))}
        WHERE NOT has_table_privilege(pg_class.oid, 'TRIGGER')`,
  );
}

/** Fails if the role must not read what lists are made of: im-admin's schema, and all that the installed map reads. */
export async function requireReadingRights(queryable: Queryable, schema: Sql): Promise<void> {
  await requireRights(
    queryable,
    sql`
      SELECT 'USAGE ON SCHEMA ' || oid::regnamespace FROM pg_namespace
        WHERE oid = to_regnamespace(${schema.text}) AND NOT has_schema_privilege(oid, 'USAGE')
      UNION SELECT 'SELECT ON ALL TABLES IN SCHEMA ' || relnamespace::regnamespace FROM pg_class
        WHERE relnamespace = to_regnamespace(${schema.text}) AND relkind IN ('r', 'v') AND NOT has_table_privilege(oid, 'SELECT')`,
  );
  const read = sql`
    ${schema}.mapped_objects mapped JOIN pg_class ON pg_class.oid = mapped.relation
      JOIN pg_namespace ON pg_namespace.oid = relnamespace`;
  await requireRights(
    queryable,
    sql`
      SELECT 'USAGE ON SCHEMA ' || quote_ident(nspname) FROM ${read} WHERE NOT has_schema_privilege(nspname, 'USAGE')
      UNION SELECT format('SELECT ON %I.%I', nspname, relname) FROM ${read} WHERE NOT has_any_column_privilege(pg_class.oid, 'SELECT')`,
  );
}

/** Fails if a query finds rights that the role lacks. */
async function requireRights(queryable: Queryable, lacking: Sql): Promise<void> {
  const rows = await run(
    queryable,
    sql`SELECT format('GRANT %s TO %I', granted, current_user) AS given, current_user AS role FROM (${lacking}) lacking (granted) ORDER BY granted DESC`,
  );
  if (rows.length > 0)
    throw new MissingRights(
      String(rows[0]?.["role"]),
      rows.map(({ given }) => String(given)),
    );
}

/** A role lacks rights. */
export class MissingRights extends Error {
  constructor(role: string, grants: readonly string[]) {
    super(`the role ${role} lacks ${grants.length === 1 ? "a right" : "rights"}: ${grants.join("; ")}`);
  }
}
