/** Installs, reads, checks and removes the map of a database. */
import { type Finding, unchecked } from "../../stores/finding.js";
import type { Row, SqlDatabase, Statement } from "../../stores/sqlite/database.js";
import { recordIn } from "../../stores/sqlite/schema/recordTables.js";
import { noSources, type Sources, schemaOf } from "../../stores/sqlite/schema/schema.js";
import { drop, type SchemaObject } from "../../stores/sqlite/schema/schemaObject.js";
import { defaultSizes } from "../../stores/sqlite/schema/sizes.js";
import {
  applicationID,
  drops,
  isSame,
  type StoredObject,
  selectStored,
  storedAs,
  storedOf,
  versionObject,
} from "../../stores/sqlite/schema/storedSchema.js";
import { name, sql } from "../../stores/sqlite/sql.js";
import { type OnStep, told } from "../../stores/steps.js";
import type { TableMap } from "../map.js";
import { fieldChecks } from "./fieldChecks.js";
import { sourcesOf } from "./hostSource.js";
import { checks, installation, keeping, removal, triggersOf } from "./install.js";

const selectMap = sql`SELECT map FROM im_admin_table_map`;

function mapOf(rows: readonly Row[] | undefined): TableMap | undefined {
  const map = rows?.[0]?.["map"];
  return map === undefined ? undefined : (JSON.parse(String(map)) as TableMap);
}

/** The installed map of a database; undefined if all records are in im-admin's own tables. */
export async function installedMap(database: Pick<SqlDatabase, "read">): Promise<TableMap | undefined> {
  return mapOf((await database.read([selectMap]))[0]);
}

/**
 * The sources of a database's records. A database of an earlier version may have no table for a map: its sources are
 * im-admin's own tables.
 */
export async function installedSources(database: Pick<SqlDatabase, "read">): Promise<Sources> {
  const map = await installedMap(database).catch((error: unknown) => {
    if (/no such table/.test(String(error))) return undefined;
    throw error;
  });
  return map === undefined ? noSources : sourcesOf(map);
}

/** The tables of the installed map that have lost triggers; undefined if no map is installed. */
export async function lostTriggers(database: Pick<SqlDatabase, "read">): Promise<readonly string[] | undefined> {
  const sources = await installedSources(database);
  if (sources.size === 0) return undefined;
  const [stored = []] = await database.read([sql`SELECT name, type, tbl_name FROM sqlite_schema`]);
  const isTable = (name: string) =>
    stored.some((other) => other["type"] === "table" && isSame(String(other["name"]), name));
  const lost = triggersOf(sources).filter(({ name, table }) => {
    const found = stored.find((other) => other["type"] === "trigger" && isSame(String(other["name"]), name));
    // Triggers follow a table that gets another name. Then another table may take the name.
    return found === undefined || (!isSame(String(found["tbl_name"]), table) && isTable(table));
  });
  return [...new Set(lost.map(({ table }) => table))];
}

export function goneTriggers(tables: readonly string[]): string {
  return `the triggers on ${tables.join(" and ")} are gone, and lists are no longer kept`;
}

/**
 * Makes the triggers and indexes of a map again, and builds the lists, because a host's migration has taken triggers
 * away.
 */
export async function keepAgain(database: Pick<SqlDatabase, "read" | "write">, sizes = defaultSizes): Promise<void> {
  const sources = await installedSources(database);
  await database.write([
    ...[...sources.values()].flatMap(({ objects }) => objects.map(drop)),
    ...keeping(sources, sizes),
  ]);
}

/**
 * Installs a map in a database, in place of the present one. Without a map, the database gets its own tables again. It
 * runs in one transaction.
 */
export async function installMap(
  { direct, forgetMap, ...given }: SqlDatabase,
  map: TableMap | undefined,
  onStep: OnStep = () => {},
  sizes = defaultSizes,
): Promise<void> {
  const database = direct ?? given;
  for (const { path, statement } of map === undefined ? [] : fieldChecks(map)) {
    await database.read([statement]).catch((cause: Error) => {
      throw new Error(`${path}: ${cause.message}`, { cause });
    });
  }
  const before = await installedMap(database);
  const steps = [
    ...(before === undefined ? [] : removal(before, sizes)),
    ...(map === undefined ? [] : installation(map, sizes)),
  ];
  await database.write(told(steps, onStep));
  forgetMap?.();
}

/**
 * Removes all that im-admin has made in a file: its schema is then as it was before. It runs in one transaction.
 *
 * @throws Error if records are in a table of im-admin's own, since they are nowhere else
 */
export async function removeAll(given: SqlDatabase, onStep: OnStep = () => {}): Promise<void> {
  const { direct: database = given } = given;
  await database.write(removingAll(onStep));
  given.forgetMap?.();
}

function* removingAll(onStep: OnStep): Generator<Statement, void, Row[] | undefined> {
  const stored = storedOf((yield selectStored) ?? []);
  const made = madeIn(stored);
  for (const table of made.filter((object) => recordIn(object) !== undefined && storedAs(stored, object))) {
    const rows = yield sql`SELECT 1 FROM ${name(table.name)} LIMIT 1`;
    if (rows?.length !== 0) {
      throw new Error(`${table.name} has records, which would be lost: export them first, and remove them`);
    }
  }
  yield* told(drops(stored, made), onStep);
  const marked = yield sql`PRAGMA application_id`;
  if (Number(marked?.[0]?.["application_id"]) === applicationID) yield sql`PRAGMA application_id = 0`;
}

/** Tables by their names, since others may hold something of the host's; triggers and indexes of any map. */
function madeIn(stored: readonly StoredObject[]): Pick<SchemaObject, "type" | "name">[] {
  const tables = [versionObject, ...schemaOf()].filter(({ type }) => type === "table");
  const others = stored.flatMap(({ type, name }) =>
    (type === "trigger" || type === "index") && /^im_admin_[a-z0-9_]+$/.test(name) ? [{ type, name } as const] : [],
  );
  return [...tables, ...others];
}

/** Finds problems of the mapped tables and their rows. */
export async function checkMap(database: SqlDatabase): Promise<Finding[]> {
  const map = await installedMap(database).catch(() => undefined);
  const findings: Finding[] = [];
  for (const statement of map === undefined ? [] : checks(map)) {
    try {
      const [rows = []] = await database.read([statement]);
      for (const { kind, problem, count, example } of rows) {
        const found = { problem: String(problem), count: Number(count), examples: [String(example)] };
        findings.push({ kind: kind as Finding["kind"], ...found });
      }
    } catch (error) {
      const advice = "write the map as the tables are now, and run im-admin tables again";
      findings.push({ ...unchecked("the map does not fit its tables", error), kind: "unmendable", advice });
    }
  }
  return findings;
}
