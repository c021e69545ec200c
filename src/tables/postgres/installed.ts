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
import { defineTables, type TableMap } from "../map.js";
import { postgresSql } from "./install.js";

/** The installed map of a schema; undefined if all records are in im-admin's own tables. */
export async function installedMap(
  queryable: Pick<PostgresConnection, "query">,
  schema: Sql,
): Promise<TableMap | undefined> {
  const [row] = await run(queryable, sql`SELECT map FROM ${schema}.table_map`);
  return row && defineTables(JSON.parse(String(row["map"])) as TableMap);
}

/**
 * Installs a map in a schema, in place of the present one. Without a map, the schema gets its own tables again. Settle
 * the lists afterwards. It waits for writers of the tables, and they wait for it, for a moment.
 */
export async function installMap(pool: PostgresPool, schema: Sql, map?: TableMap): Promise<void> {
  await retried(() =>
    transaction(pool, async (connection) => {
      const before = await installedMap(connection, schema);
      const statements = [
        ...(before === undefined ? [] : postgresSql(before, schema).remove),
        ...(map === undefined ? [] : postgresSql(map, schema).install),
      ];
      for (const statement of statements) await run(connection, raw(statement));
    }),
  );
  await run(pool, sql`SELECT ${schema}.rebuild_lists()`);
}

/** The statements that create all functions and triggers again, also if somebody has changed or dropped them. */
export async function renewalOf(pool: PostgresPool, schema: Sql): Promise<Sql> {
  const map = await installedMap(pool, schema);
  if (map === undefined) return renewal(schema);
  const { remove, install } = postgresSql(map, schema);
  return raw([...remove, renewal(schema).text, ...install].join("\n\n"));
}

/** Finds problems of the installed map, and of the rows of its tables. */
export async function checkMap(pool: PostgresPool, schema: Sql): Promise<Finding[]> {
  const map = await installedMap(pool, schema);
  const findings: Finding[] = [];
  for (const statement of map === undefined ? [] : postgresSql(map, schema).check) {
    try {
      for (const { kind, problem, count, example } of await run(pool, raw(statement))) {
        findings.push({
          kind: kind as Finding["kind"],
          problem: String(problem),
          count: Number(count),
          example: String(example),
        });
      }
    } catch (error) {
      const advice = "write the map as the tables are now, and run im-admin tables again";
      findings.push({ ...unchecked("the map does not fit its tables", error), kind: "unmendable", advice });
    }
  }
  return findings;
}
