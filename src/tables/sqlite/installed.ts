/** A map in a database: looked at, put there, and taken back. */
import { type Finding, unchecked } from "../../stores/finding.js";
import type { Row, SqlDatabase, Statement } from "../../stores/sqlite/database.js";
import { defaultSizes } from "../../stores/sqlite/nodes/tables.js";
import { noSources, type Sources } from "../../stores/sqlite/schema/schema.js";
import { sql } from "../../stores/sqlite/sql.js";
import type { TableMap } from "../map.js";
import { checks, installation, removal } from "./install.js";
import { sourcesOf } from "./source.js";

const selectMap = sql`SELECT map FROM im_admin_table_map`;

function mapOf(rows: readonly Row[] | undefined): TableMap | undefined {
  const map = rows?.[0]?.["map"];
  return map === undefined ? undefined : (JSON.parse(String(map)) as TableMap);
}

/** The map that a database has; undefined where all records are in its own tables. */
export async function installedMap(database: SqlDatabase): Promise<TableMap | undefined> {
  return mapOf((await database.read([selectMap]))[0]);
}

/** What gives the records of a database; im-admin's own tables where it has no table for a map. */
export async function installedSources(database: SqlDatabase): Promise<Sources> {
  const map = await installedMap(database).catch((error: unknown) => {
    if (/no such table/.test(String(error))) return undefined;
    throw error;
  });
  return map === undefined ? noSources : sourcesOf(map);
}

/** The same, amid statements of a write. */
export function* sourcesInWrite(): Generator<Statement, Sources, Row[] | undefined> {
  const map = mapOf(yield selectMap);
  return map === undefined ? noSources : sourcesOf(map);
}

/** Puts a map into a database, in the place of another; without one, it has its own tables again. In one transaction. */
export async function installMap(
  database: SqlDatabase,
  map: TableMap | undefined,
  onStep: (done: number, steps: number) => void = () => {},
  sizes = defaultSizes,
): Promise<void> {
  const before = await installedMap(database);
  const steps = [
    ...(before === undefined ? [] : removal(before, sizes)),
    ...(map === undefined ? [] : installation(map, sizes)),
  ];
  function* told(): Generator<Statement, void, unknown> {
    for (const [index, step] of steps.entries()) {
      yield step;
      onStep(index + 1, steps.length);
    }
  }
  await database.write(told());
}

/** What is wrong with the rows of the tables that a database is mapped to. */
export async function checkMap(database: SqlDatabase): Promise<Finding[]> {
  const map = await installedMap(database).catch(() => undefined);
  const findings: Finding[] = [];
  for (const statement of map === undefined ? [] : checks(map)) {
    try {
      const [rows = []] = await database.read([statement]);
      for (const { kind, problem, count, example } of rows) {
        const found = { problem: String(problem), count: Number(count), example: String(example) };
        findings.push({ kind: kind as Finding["kind"], ...found });
      }
    } catch (error) {
      const advice = "write the map as the tables are now, and run im-admin tables again";
      findings.push({ ...unchecked("the map does not fit its tables", error), kind: "unmendable", advice });
    }
  }
  return findings;
}
