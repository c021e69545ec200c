/** Installs, reads, checks and removes the map of a database. */

import type { TableMap } from "../../../tables/map.js";
import { type Finding, mostExamples, unchecked } from "../../finding.js";
import { type OnStep, told } from "../../steps.js";
import type { Row, SqlDatabase } from "../database.js";
import { checks } from "../map/checks.js";
import { sourcesOf } from "../map/hostSource.js";
import { keyOfMark, type Mark } from "../map/marks.js";
import { failureOf, misfitsOf } from "../map/misfits.js";
import { noSources, type Sources } from "../schema/schema.js";
import { drop } from "../schema/schemaObject.js";
import { defaultSizes } from "../schema/sizes.js";
import { isSame } from "../schema/storedSchema.js";
import { sql } from "../sql.js";
import { building, leavingOut, unreadableRows } from "./buildFrom.js";
import { refusalOf, unservedLookUps } from "./lookUps.js";
import { installation, keeping, removal, triggersOn } from "./mapStatements.js";

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

/** The mapped tables that have lost triggers of ours; undefined if no map is installed. */
export async function lostTriggers(database: Pick<SqlDatabase, "read">): Promise<readonly string[] | undefined> {
  const sources = await installedSources(database);
  if (sources.size === 0) return undefined;
  const [stored = []] = await database.read([sql`SELECT name, type, tbl_name FROM sqlite_schema`]);
  const find = (type: string, name: string) =>
    stored.find((other) => other["type"] === type && isSame(String(other["name"]), name));
  const lost = triggersOn(sources).filter(({ name, table }) => {
    const found = find("trigger", name);
    // Triggers follow a table that gets another name. Then another table may take the name.
    return found === undefined || (!isSame(String(found["tbl_name"]), table) && find("table", table) !== undefined);
  });
  return [...new Set(lost.map(({ table }) => table))];
}

export function goneTriggers(tables: readonly string[]): string {
  return `the triggers on ${tables.join(" and ")} are gone, and lists are no longer kept`;
}

/**
 * Makes the triggers of a map again, and builds the lists, because a host's migration has taken triggers away.
 */
export async function keepAgain(database: Pick<SqlDatabase, "read" | "write">, sizes = defaultSizes): Promise<void> {
  const sources = await installedSources(database);
  const drops = [...sources.values()].flatMap(({ objects }) => objects.map(drop));
  await building(database, sources, async (marks) => {
    await database.write([...drops, ...keeping(sources, sizes, marks)]);
  });
}

/**
 * Installs a map in a database, in place of the present one. Without a map, the database gets its own tables again. It
 * runs in one transaction.
 *
 * @throws Error that names the part of the map that cannot be right, and says why
 */
export async function installMap(
  { direct, forgetMap, ...given }: SqlDatabase,
  map: TableMap | undefined,
  onStep: OnStep = () => {},
  sizes = defaultSizes,
): Promise<void> {
  const database = direct ?? given;
  const [misfit] = map === undefined ? [] : await misfitsOf(database, map);
  if (misfit !== undefined) throw misfit.error;
  const unserved = map === undefined ? [] : await unservedLookUps(database, map);
  const refused = unserved.find(({ index }) => index !== undefined);
  if (refused !== undefined) throw new Error(refusalOf(refused));
  const before = await installedMap(database);
  const install = async (marks?: readonly Mark[]) => {
    const steps = [
      ...(before === undefined ? [] : removal(before, sizes)),
      ...(map === undefined ? [] : installation(map, sizes, [], marks)),
    ];
    await database.write(told(steps, onStep));
  };
  await building(database, map === undefined ? noSources : sourcesOf(map), install).catch(async (cause: Error) => {
    throw (map && (await failureOf(database, map))) ?? cause;
  });
  forgetMap?.();
}

/**
 * Finds problems of the mapped tables and their rows.
 *
 * @param unreadable what cannot be read of the rows, for a caller that knows
 */
export async function checkMap(opened: SqlDatabase, unreadable?: readonly Mark[]): Promise<Finding[]> {
  const given = opened.direct ?? opened;
  const map = await installedMap(given).catch(() => undefined);
  if (map === undefined) return [];
  const misfits = await misfitsOf(given, map);
  const sources = sourcesOf(map);
  const marks = unreadable ?? (await unreadableRows(given, sources).catch(() => []));
  const database = leavingOut(given, sources, marks);
  const findings = [...misfits.map(({ error, reason }) => misfit(error, reason)), ...unreadableFindings(marks)];
  if (misfits.length === 0) {
    for (const { problem, index } of await unservedLookUps(given, map)) {
      const kind = index === undefined ? "note" : "unmendable";
      findings.push({ kind, problem, count: 1, advice: index && `run ${index}` });
    }
  }
  for (const [record, statements] of checks(map)) {
    // The other checks of its rows would fail for the same reason.
    if (misfits.some((misfit) => misfit.record === record)) continue;
    for (const statement of statements) {
      try {
        const [rows = []] = await database.read([statement]);
        for (const { kind, problem, count, example } of rows) {
          const found = { problem: String(problem), count: Number(count), examples: [String(example)] };
          findings.push({ kind: kind as Finding["kind"], ...found });
        }
      } catch (error) {
        const named = (await failureOf(database, { [record]: map[record] })) ?? (error as Error);
        findings.push(misfit(named, (error as Error).message));
      }
    }
  }
  // Two kinds of records may be in one table, and one cause may spoil several parts.
  const told = new Map(
    findings.map((finding) => [finding.reason ?? JSON.stringify(finding), finding] as const).toReversed(),
  );
  return [...told.values()].toReversed();
}

/** Names the fields that cannot be read, each with its rows. */
function unreadableFindings(marks: readonly Mark[]): Finding[] {
  const findings = new Map<string, Finding & { examples: readonly string[] }>();
  for (const mark of marks) {
    const [record, , , field, decides, reason] = mark;
    const effect = decides ? "the lists with these rows fail" : 'is answered as 0, false or ""';
    const problem = `${record}.${field} cannot be read (${reason}), and ${effect}`;
    const { count = 0, examples = [] } = findings.get(problem) ?? {};
    const kind = decides ? "unmendable" : "note";
    const named = [...examples, keyOfMark(mark).join(", ")].slice(0, mostExamples);
    findings.set(problem, { kind, problem, count: count + 1, examples: named });
  }
  return [...findings.values()];
}

function misfit(error: Error, reason: string): Finding {
  const advice = "write the map as the tables are now, and run im-admin tables again";
  return { ...unchecked("the map does not fit its tables", error), reason, kind: "unmendable", advice };
}
