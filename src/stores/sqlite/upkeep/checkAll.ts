/** Compares all kept data of a database with the rows of its tables. */

import { recordNames } from "../../../records.js";
import { checkMap, installedSources } from "../../../tables/sqlite/installed.js";
import { type Finding, mostExamples, type OnCheck } from "../../finding.js";
import { type Check, findOf, isBroken, recover } from "../comparison.js";
import type { SqlDatabase } from "../database.js";
import { withSelects } from "../mapped.js";
import { schemaVersion } from "../schema/migrations.js";
import { recordIn } from "../schema/recordTables.js";
import { noSources, type Sources, schemaOf, selectsOf } from "../schema/schema.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import type { Sizes } from "../schema/sizes.js";
import { isSame, readStored, storedAs, versionObject } from "../schema/storedSchema.js";
import { sql } from "../sql.js";
import { keptChecks } from "./checkKept.js";
import { definitionsCheck, recordCheck, versionCheck } from "./checkSchema.js";
import { searchChecks } from "./checkSearch.js";
import { encodingCheck, integrityCheck } from "./fileCheck.js";

export type { Finding } from "../../finding.js";

/** Runs all checks; without problems, it returns an empty array. It writes only temporary tables. */
export async function checkLists(opened: SqlDatabase, sizes: Sizes, onCheck: OnCheck = () => {}): Promise<Finding[]> {
  const given = opened.direct ?? opened;
  const sources = await installedSources(given).catch(() => noSources);
  const database = withSelects(given, selectsOf(sources));
  const definitions = definitionsCheck(sources);
  // If one of these finds something, the other checks cannot run.
  for (const check of [ownCheck(sources), otherVersionCheck(definitions)]) {
    const findings = await findOf(check, database);
    if (findings.length > 0) return findings;
  }
  const own = recordNames.filter((record) => !sources.has(record));
  const checks = [
    definitions,
    versionCheck,
    encodingCheck,
    ...own.map(recordCheck),
    { what: "the tables of the map", find: checkMap },
    ...keptChecks(sizes),
    ...searchChecks,
    integrityCheck,
  ];
  const findings: Finding[] = [];
  for (const [index, check] of checks.entries()) {
    findings.push(...(await findOf(check, database)));
    onCheck(index + 1, checks.length);
  }
  return merged(findings);
}

/** Checks that the database has tables of ours. */
function ownCheck(sources: Sources): Check {
  const ours = [versionObject, ...schemaOf(sources)];
  return {
    what: "the database",
    async find(database) {
      const stored = await readStored(database).catch((error: unknown) => unreadable(error, ours));
      if (!Array.isArray(stored)) return [stored];
      if (ours.some((object) => storedAs(stored, object))) return [];
      const advice = "give a file that im-admin has made";
      return [{ kind: "unmendable", problem: "the database has no tables of im-admin", count: 1, advice }];
    },
  };
}

/**
 * The finding for a schema that SQLite cannot read, because pages are damaged or it does not understand a definition,
 * perhaps one that a repair cannot make again.
 */
function unreadable(error: unknown, ours: readonly SchemaObject[]): Finding {
  if (!(error instanceof Error) || !isBroken(error)) throw error;
  const [, name] = /^malformed database schema \((.*?)\)/.exec(error.message) ?? [];
  const isMade = ours.some((object) => recordIn(object) === undefined && isSame(object.name, name ?? ""));
  const found = { problem: `the database cannot be read: ${error.message}`, count: 1 };
  return isMade ? { kind: "wrong", ...found } : { kind: "unmendable", ...found, advice: recover };
}

/** Checks the version of the schema. If the schema is ours and only the number is wrong, another check reports that. */
function otherVersionCheck(definitions: Check): Check {
  return {
    what: "the version of the schema",
    async find(database) {
      if ((await definitions.find(database)).length === 0) return [];
      const [rows = []] = await database.read([sql`SELECT version FROM im_admin_schema_version`]).catch(() => []);
      const version = Number(rows[0]?.["version"]);
      if (rows.length !== 1 || version < 1 || version === schemaVersion) return [];
      return [{ kind: "unchecked", problem: `the lists: ${otherVersion(version, schemaVersion)}`, count: 1 }];
    },
  };
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
    byReason.set(reason, {
      ...(same ?? finding),
      count: (same?.count ?? 0) + finding.count,
      ...(examples.length === 0 ? {} : { examples }),
    });
  }
  return [...byReason.values()];
}
