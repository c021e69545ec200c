/** Compares all kept data of a database with the rows of its tables. */
import { recordNames } from "../../../records.js";
import { type Finding, mostExamples, unchecked, wrong } from "../../finding.js";
import { type OnStep, told } from "../../steps.js";
import type { SqlDatabase } from "../database.js";
import { copy, isBroken, recover } from "../failures.js";
import type { Mark } from "../map/marks.js";
import { schemaVersion } from "../schema/migrations.js";
import { keptParts, noSources, noting, type Sources, schemaOf } from "../schema/schema.js";
import type { Sizes } from "../schema/sizes.js";
import { isSame, isUnreleased, readStored, storedAs, unreleased, versionObject } from "../schema/storedSchema.js";
import { literal, sql } from "../sql.js";
import { leavingOut, unreadableRows } from "./buildFrom.js";
import { keptChecks } from "./checkKept.js";
import { definitionsCheck, recordCheck, versionCheck } from "./checkSchema.js";
import { type Check, compare, findOf } from "./comparison.js";
import { encodingCheck, integrityCheck } from "./fileCheck.js";
import { checkMap, installedSources } from "./installMap.js";

/** Runs all checks; without problems, it returns an empty array. It writes only temporary tables. */
export async function checkLists(opened: SqlDatabase, sizes: Sizes, onCheck: OnStep = () => {}): Promise<Finding[]> {
  const given = opened.direct ?? opened;
  const sources = await installedSources(given).catch(() => noSources);
  // What keeps it from reading rows at all is found below.
  const marks = await unreadableRows(given, sources).catch(() => []);
  const database = leavingOut(given, sources, marks);
  const definitions = definitionsCheck(sources);
  const obstacles = await findOf(obstacleCheck(sources, definitions), database);
  if (obstacles.length > 0) return obstacles;
  const own = recordNames.filter((record) => !sources.has(record));
  const checks = [
    definitions,
    versionCheck,
    encodingCheck,
    ...own.map(recordCheck),
    { what: "the tables of the map", find: () => checkMap(given, marks) },
    asideCheck(marks),
    ...keptChecks(sizes),
    // A PRAGMA reads tables as they are, and not what stands in their place.
    { ...integrityCheck, find: () => integrityCheck.find(given) },
  ];
  const findings: Finding[] = [];
  for (const check of told(checks, onCheck)) findings.push(...(await findOf(check, database)));
  return merged(findings);
}

/** Compares what is known to be unreadable with what is. Where the marks are given, another name hides the table. */
function asideCheck(marks: readonly Mark[]): Check {
  const found = sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${literal(JSON.stringify(marks))})`;
  return compare("what is known to be unreadable", [
    {
      problem: "im_admin_unreadable has rows that can be read",
      wrong: sql`
        SELECT record || ' ' || first || ' ' || second FROM main.im_admin_unreadable known
          WHERE (record, first, second, field) NOT IN (${found}) AND NOT EXISTS (
            SELECT 1 FROM im_admin_changed changed
              WHERE kind = record AND changed.first = known.first AND changed.second = known.second)`,
    },
  ]);
}

/** Finds why the other checks cannot run: because SQLite cannot read the schema, or it is none of this version. */
function obstacleCheck(sources: Sources, definitions: Check): Check {
  const ours = [versionObject, ...schemaOf(sources)];
  return {
    what: "the database",
    async find(database) {
      const stored = await readStored(database).catch((error: unknown) => unreadable(error));
      if (!Array.isArray(stored)) return [stored];
      if (!ours.some((object) => storedAs(stored, object))) {
        const advice = "give a file that im-admin has made";
        return [wrong({ problem: "the database has no tables of im-admin", advice })];
      }
      if (isUnreleased(stored)) return [wrong({ problem: unreleased, advice: copy })];
      // If only the number is wrong, another check reports that.
      if ((await definitions.find(database)).length === 0) return [];
      const [rows = []] = await database.read([sql`SELECT version FROM im_admin_schema_version`]).catch(() => []);
      const version = Number(rows[0]?.["version"]);
      if (rows.length !== 1 || version < 1 || version === schemaVersion) return [];
      return [unchecked("the lists", otherVersion(version, schemaVersion))];
    },
  };
}

/** The finding for a schema with damaged pages, or with a definition that SQLite does not understand. */
function unreadable(error: unknown): Finding {
  if (!isBroken(error)) throw error;
  const [, name = ""] = /^malformed database schema \((.*?)\)/.exec(error.message) ?? [];
  const isMadeAgain = [versionObject, ...keptParts, ...noting()].some((object) => isSame(object.name, name));
  const advice = isMadeAgain ? copy : recover;
  return wrong({ problem: `the database cannot be read: ${error.message}`, advice });
}

/** The advice for a schema of another version. */
export function otherVersion(version: number, checked: number): string {
  const advice =
    version > checked
      ? "use the newer im-admin that made it"
      : "bring it to that version first, by im-admin serve or by opening a store";
  return `the schema has version ${version}, and this im-admin checks version ${checked}: ${advice}`;
}

/** Merges findings with the same sentence, or, for checks that could not run, with the same reason. */
function merged(findings: readonly Finding[]): Finding[] {
  const byReason = new Map<string, Finding>();
  for (const finding of findings) {
    const reason = finding.reason ?? finding.problem;
    const same = byReason.get(reason);
    const examples = [...(same?.examples ?? []), ...(finding.examples ?? [])].slice(0, mostExamples);
    const told = examples.length === 0 ? {} : { examples };
    byReason.set(reason, { ...(same ?? finding), count: (same?.count ?? 0) + finding.count, ...told });
  }
  return [...byReason.values()];
}
