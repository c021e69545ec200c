/** Installs, reads, checks and removes the map of a schema. */
import { type Finding, unchecked } from "../../stores/finding.js";
import {
  type PostgresConnection,
  type PostgresPool,
  retried,
  run,
  transaction,
} from "../../stores/postgres/database.js";
import { renewal } from "../../stores/postgres/schema/migration.js";
import { raw, type Sql, sql } from "../../stores/postgres/sql.js";
import { changedObjects } from "../../stores/postgres/upkeep/checkAll.js";
import { defineTables, type TableMap } from "../map.js";
import type { TablesSql } from "../statements.js";
import { postgresSql } from "./install.js";

/** The statements of the installed map of a schema; undefined if all records are in im-admin's own tables. */
export async function installedSql(
  queryable: Pick<PostgresConnection, "query">,
  schema: Sql,
): Promise<TablesSql | undefined> {
  const [row] = await run(
    queryable,
    sql`SELECT map, to_json(trusted_owners)::text AS trusted FROM ${schema}.table_map`,
  );
  if (row === undefined) return undefined;
  const map = defineTables(JSON.parse(String(row["map"])) as TableMap);
  return postgresSql(map, schema, JSON.parse(String(row["trusted"])) as string[]);
}

/**
 * Installs a map in a schema, in place of the present one. Without a map, the schema gets its own tables again. Settle
 * the lists afterwards. `trustedOwners` are roles whose tables the map may read beside the caller's own. It waits for writers of the tables, and they wait for it, for a moment.
 */
export async function installMap(
  pool: PostgresPool,
  schema: Sql,
  map?: TableMap,
  trustedOwners: readonly string[] = [],
): Promise<void> {
  await retried(() =>
    transaction(pool, async (connection) => {
      const before = await installedSql(connection, schema);
      const statements = [
        ...(before?.remove ?? []),
        ...(map === undefined ? [] : postgresSql(map, schema, trustedOwners).install),
      ];
      for (const statement of statements) await run(connection, raw(statement));
    }),
  );
  await run(pool, sql`SELECT ${schema}.rebuild_lists()`);
}

/** The statements that create all functions and triggers again, also if somebody has changed or dropped them. */
export async function renewalOf(pool: PostgresPool, schema: Sql): Promise<Sql> {
  const installed = await installedSql(pool, schema);
  if (installed === undefined) return renewal(schema);
  const { remove, install } = installed;
  return raw([...remove, renewal(schema).text, ...install].join("\n\n"));
}

/** Finds problems of the installed map, and of the rows of its tables. */
export async function checkMap(pool: PostgresPool, schema: Sql): Promise<Finding[]> {
  const installed = await installedSql(pool, schema);
  const findings = await changedObjects(pool, schema);
  if (findings.length > 0) return findings;
  for (const statement of installed?.check ?? []) {
    try {
      for (const { kind, problem, count, example } of await run(pool, raw(statement))) {
        findings.push({
          kind: kind as Finding["kind"],
          problem: String(problem),
          count: Number(count),
          examples: [String(example)],
        });
      }
    } catch (error) {
      const advice = "write the map as the tables are now, and run im-admin tables again";
      findings.push({ ...unchecked("the map does not fit its tables", error), kind: "unmendable", advice });
    }
  }
  return findings;
}
