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
import { literal, name, sql } from "../../stores/sqlite/sql.js";
import { type OnStep, told } from "../../stores/steps.js";
import type { TableMap } from "../map.js";
import { type FieldCheck, fieldChecks, requireNoticed, requireSteady } from "./fieldChecks.js";
import { sourcesOf } from "./hostSource.js";
import { checks, duplicatesOf, installation, keeping, removal, triggersOf } from "./install.js";
import { tablesIn } from "./words.js";

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
  const before = await installedMap(database);
  const steps = [
    ...(before === undefined ? [] : removal(before, sizes)),
    ...(map === undefined ? [] : installation(map, sizes)),
  ];
  await database.write(told(steps, onStep)).catch(async (cause: Error) => {
    const duplicates = map && (await duplicatesIn(database, map).catch(() => undefined));
    throw duplicates === undefined ? cause : new Error(duplicates, { cause });
  });
  forgetMap?.();
}

type Reading = Pick<SqlDatabase, "read">;

/** A part of the map that the database does not have, or on which no list may depend. */
interface Misfit {
  record: string | undefined;
  /** Names the part. */
  error: Error;
  reason: string;
}

async function misfitsOf(database: Reading, map: TableMap): Promise<Misfit[]> {
  const [stored = [], [version] = []] = await database.read([
    sql`SELECT type, rootpage, tbl_name FROM sqlite_schema`,
    sql`PRAGMA schema_version`,
  ]);
  // A connection prepares a text once, and an EXPLAIN would then tell what an earlier schema was.
  const explain = sql`EXPLAIN /* schema ${literal(Number(version?.["schema_version"]))} */`;
  const tables = new Map(stored.map(({ rootpage, tbl_name }) => [rootpage, String(tbl_name)]));
  const views = stored.flatMap(({ type, tbl_name }) => (type === "view" ? [String(tbl_name)] : []));
  // A virtual table has no page of its own.
  const virtual = stored.flatMap(({ type, rootpage, tbl_name }) =>
    type === "table" && rootpage === 0 ? [String(tbl_name)] : [],
  );
  const misfits: Misfit[] = [];
  for (const check of fieldChecks(map)) {
    try {
      requireNoView(check, views);
      const [program = []] = await database.read([sql`${explain} ${check.statement}`]);
      // SQLite opens a table, or an index of it, by the number of its first page.
      const opened = program.filter(({ opcode, p3 }) => opcode === "OpenRead" && p3 === 0);
      const isDeciding = check.deciding !== undefined;
      requireSteady(check.path, calledIn(program), isDeciding);
      requireNoticed(check, [
        ...opened.flatMap(({ p2 = null }) => tables.get(p2) ?? []),
        ...tablesIn(check.deciding?.text ?? "").filter((read) => virtual.some((table) => isSame(table, read))),
      ]);
    } catch (cause) {
      const reason = (cause as Error).message;
      // Errors of the database do not name the part.
      const message = cause instanceof TypeError ? reason : `${check.path}: ${reason}`;
      misfits.push({ record: check.path.split(".")[0], error: new Error(message, { cause }), reason });
    }
  }
  return misfits;
}

/** What a program of SQLite calls, also in views, as calls in a text. */
function calledIn(program: readonly Row[]): string {
  return program
    .flatMap(({ opcode, p4 }) => {
      if (opcode === "String8") return p4 === "now" ? ["'now'"] : [];
      return /^(?:Pure)?Func/.test(String(opcode)) ? [String(p4)] : [];
    })
    .join(" ");
}

function requireNoView({ path, watched = "" }: FieldCheck, views: readonly string[]): void {
  if (!views.some((view) => isSame(view, watched))) return;
  const advice = path.includes(".also[")
    ? "name the tables that it reads"
    : `write (SELECT * FROM ${watched}) AS ${watched}, and name its tables in also`;
  throw new TypeError(`${path}: ${watched} is a view: ${advice}`);
}

/** Says which keys several records have; undefined if there are none. */
async function duplicatesIn(database: Reading, map: TableMap): Promise<string | undefined> {
  for (const [record, { problem, examples, advice }] of duplicatesOf(map)) {
    const [rows = []] = await database.read([examples]);
    if (rows.length === 0) continue;
    const named = rows.map(({ example }) => example).join("; ");
    return `${record}: ${problem} (${rows[0]?.["count"]}, such as ${named}): ${advice}`;
  }
  return undefined;
}

/**
 * Removes all that im-admin has made in a file: its schema is then as it was before. It runs in one transaction.
 *
 * @throws Error if records are in a table of im-admin's own, since they are nowhere else, or if something of the host
 *   depends on one
 */
export async function removeAll(given: SqlDatabase, onStep: OnStep = () => {}): Promise<void> {
  const { direct: database = given } = given;
  await database.write(removingAll(onStep));
  given.forgetMap?.();
}

function* removingAll(onStep: OnStep): Generator<Statement, void, Row[] | undefined> {
  const stored = storedOf((yield selectStored) ?? []);
  const made = madeIn(stored);
  requireNoDependent(stored, made);
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

function requireNoDependent(
  stored: readonly StoredObject[],
  made: readonly Pick<SchemaObject, "type" | "name">[],
): void {
  const named = new RegExp(`\\b(?:${made.map(({ name }) => name).join("|")})\\b`, "i");
  const dependent = stored.find(({ name, text }) => named.test(text) && !made.some((own) => isSame(own.name, name)));
  if (dependent === undefined) return;
  throw new Error(`the ${dependent.type} ${dependent.name} depends on a table of im-admin: drop it first`);
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
  if (map === undefined) return [];
  const misfits = await misfitsOf(database, map);
  const findings = misfits.map(({ error, reason }) => misfit(error, reason));
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
        findings.push(misfit(new Error(`${record}: ${(error as Error).message}`), (error as Error).message));
      }
    }
  }
  // Two kinds of records may be in one table, and one cause may spoil several parts.
  const told = new Map(
    findings.map((finding) => [finding.reason ?? JSON.stringify(finding), finding] as const).toReversed(),
  );
  return [...told.values()].toReversed();
}

function misfit(error: Error, reason: string): Finding {
  const advice = "write the map as the tables are now, and run im-admin tables again";
  return { ...unchecked("the map does not fit its tables", error), reason, kind: "unmendable", advice };
}
