/** Installs, checks and removes the map of a schema. */

import type { TableMap } from "../../../tables/map.js";
import { type Finding, unchecked } from "../../finding.js";
import { type PostgresConnection, type PostgresPool, run } from "../database.js";
import { locking, lockTables } from "../map/hostLocks.js";
import { type InstalledMap, installedMap, installedSql, sqlOf } from "../map/installedMap.js";
import { uniqueKeys } from "../map/mapStatements.js";
import { requireReadingRights, requireTableRights } from "../map/rights.js";
import { raw, type Sql, sql } from "../sql.js";
import { changedObjects } from "./checkAll.js";
import { migrateWithin } from "./migrate.js";
import { renewal } from "./migration.js";
import { removeAll } from "./removeAll.js";
import { forgetTrees } from "./repair.js";

/**
 * Installs a map in a schema, in place of the present one, and migrates the schema if it must. Without a map, the schema
 * gets its own tables again. Settle the lists afterwards. `trustedOwners` are roles whose tables the map may read beside
 * the caller's own. It waits for writers of the tables, and they wait for it, for a moment.
 *
 * If it fails, all is as it was before. That includes `build`, which runs after the map is committed.
 */
export async function installMap(
  pool: PostgresPool,
  schema: Sql,
  map?: TableMap,
  trustedOwners: readonly string[] = [],
  build: () => Promise<unknown> = async () => {},
): Promise<void> {
  const installed = map && { map, trustedOwners };
  const { isNew, before } = await replaceMap(pool, schema, installed);
  try {
    // The map may read more tables than it names.
    await requireReadingRights(pool, schema);
    for (const statement of map === undefined ? [] : uniqueKeys(map, schema)) await run(pool, raw(statement));
    await forgetTrees(pool, schema);
    await build();
  } catch (error) {
    const undone = isNew ? removeAll(pool, schema) : replaceMap(pool, schema, before);
    await undone.catch((cause: Error) => {
      throw new Error(`${(error as Error).message}; what it has made is still there: ${cause.message}`, { cause });
    });
    throw error;
  }
}

/** Returns whether the schema had no tables, and its map before. */
function replaceMap(
  pool: PostgresPool,
  schema: Sql,
  installed: InstalledMap | undefined,
): Promise<{ isNew: boolean; before: InstalledMap | undefined }> {
  return locking(pool, async (connection) => {
    const isNew = await migrateWithin(connection, schema);
    const before = await installedMap(connection, schema);
    if (installed !== undefined) await requireTableRights(connection, installed.map);
    await lockTables(connection, schema, installed?.map);
    const statements = [
      ...(sqlOf(before, schema)?.remove ?? []),
      ...(sqlOf(installed, schema)?.install ?? []),
      ...(await grantsIn(connection, schema)),
    ];
    for (const statement of statements) await run(connection, raw(statement));
    return { isNew, before };
  });
}

/** The rights of others on tables and views, which are lost when these are made again. */
async function grantsIn(connection: PostgresConnection, schema: Sql): Promise<string[]> {
  const rows = await run(
    connection,
    sql`
      SELECT format('GRANT %s ON %s.%I TO %s%s', privilege_type, ${schema.text}::text, relname,
          CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS given
        FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
        WHERE relnamespace = to_regnamespace(${schema.text}) AND relkind IN ('r', 'v') AND grantee <> relowner`,
  );
  return rows.map(({ given }) => String(given));
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
      const isForbidden = (error as { code?: unknown }).code === "42501";
      findings.push(
        isForbidden
          ? unchecked("the tables of the map", error)
          : { ...unchecked("the map does not fit its tables", error), kind: "unmendable", advice },
      );
    }
  }
  return findings;
}
