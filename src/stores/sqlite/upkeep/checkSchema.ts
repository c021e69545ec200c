/** What a database defines, beside what im-admin makes there. */
import { type RecordName, recordKeys } from "../../../records.js";
import { type Finding, mostExamples, wrong } from "../../finding.js";
import type { SqlDatabase } from "../database.js";
import { copy } from "../failures.js";
import { schemaVersion } from "../schema/migrations.js";
import { columnNames } from "../schema/recordColumns.js";
import { definitionsOf, recordColumns, recordIn, recordTables } from "../schema/recordTables.js";
import { keptParts, type Sources, schemaOf } from "../schema/schema.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { isSame, readStored, type StoredObject, storedAs, versionObject } from "../schema/storedSchema.js";
import { all, join, literal, name, names, our, ourName, sql } from "../sql.js";
import { type Check, compare } from "./comparison.js";

/** Checks that all is there that im-admin makes, as it is made, and that nothing else stands on its kept tables. */
export function definitionsCheck(sources: Sources): Check {
  const ours = [versionObject, ...schemaOf(sources)];
  return {
    what: "the definitions of tables, indexes and triggers",
    async find(database) {
      const stored = await readStored(database);
      const findings = [];
      for (const object of ours) {
        findings.push(...(await differences(database, storedAs(stored, object), object)));
      }
      const foreign = stored.filter(
        (object) => isOnKeptTable(object) && !ours.some(({ name }) => isSame(name, object.name)),
      );
      return [
        ...findings,
        ...foreign.map(({ type, name, table }) =>
          wrong({ problem: `the ${type} ${name} is none of ours, and stands on ${table}, which only im-admin writes` }),
        ),
      ];
    },
  };
}

/** Other versions of im-admin make other definitions, so the number is wrong where the definitions are right. */
export const versionCheck: Check = compare("the version of the schema", [
  {
    problem: `im_admin_schema_version does not have the one row ${schemaVersion}`,
    wrong: sql`
      SELECT coalesce(group_concat(version, ', '), 'none') FROM im_admin_schema_version
        HAVING count(*) <> 1 OR max(version) <> ${literal(schemaVersion)}`,
  },
]);

async function differences(
  database: SqlDatabase,
  stored: StoredObject | undefined,
  { type, name, sql }: SchemaObject,
): Promise<Finding[]> {
  const record = recordIn({ type, name });
  // A repair cannot make records again.
  const found = (problem: string, advice: string) => [wrong({ problem, advice: record && advice })];
  if (stored === undefined) return found(`the ${type} ${name} is missing`, "restore it from a backup");
  if (stored.type !== type) {
    return found(
      `the ${type} ${name} is missing: the ${stored.type} of that name is none of ours`,
      `drop the ${stored.type}, and restore the table from a backup`,
    );
  }
  const isRight = record === undefined ? inOneLine(stored.text) === inOneLine(sql.text) : isAsMade(stored, record);
  if (isRight) return [];
  const missing = record === undefined ? [] : await missingColumns(database, record);
  if (missing.length === 0) return found(`the ${type} ${name} is another one than im-admin makes`, copy);
  const [count, examples] = [missing.length, missing.slice(0, mostExamples)];
  const advice = "give it columns of these names again, by ALTER TABLE";
  return [wrong({ problem: `the table ${name} lacks columns`, count, examples, advice })];
}

const keptTables = [versionObject, ...keptParts].filter(({ type }) => type === "table").map(({ name }) => name);

/** Others could change with it what only im-admin writes, or refuse it. SQLite's own indexes have no text. */
function isOnKeptTable({ type, table, text }: StoredObject): boolean {
  const isAdded = (type === "trigger" || type === "index") && text !== "";
  return isAdded && keptTables.some((name) => isSame(name, table));
}

/** A definition without what an ALTER TABLE of another program changes: RENAME puts names in quotes. */
function inOneLine(text: string): string {
  return text.replace(/"(\w+)"/g, "$1").replace(/\s+/g, " ");
}

/**
 * Whether a table has our definitions. ALTER TABLE ADD COLUMN puts columns of later versions and of a host after those that
 * are there, before the key.
 */
function isAsMade(stored: StoredObject, record: RecordName): boolean {
  const expected = inOneLine(recordTables[record].sql.text);
  const definitions = definitionsOf(record).map(({ text }) => inOneLine(text));
  const [first = "", last = ""] = [definitions[0], definitions.at(-1)];
  const start = expected.slice(0, expected.indexOf(first));
  const end = expected.slice(expected.lastIndexOf(last) + last.length);
  let rest = inOneLine(stored.text);
  if (!rest.startsWith(start + first) || !rest.endsWith(last + end)) return false;
  for (const definition of definitions) {
    const place = rest.indexOf(definition);
    rest = rest.slice(place + definition.length);
    if (place < 0 || (rest[0] !== "," && definition !== last)) return false;
  }
  return true;
}

/** The columns of ours that a table lacks. */
async function missingColumns(database: SqlDatabase, record: RecordName): Promise<string[]> {
  const [rows = []] = await database.read([sql`SELECT name FROM pragma_table_info(${ourName(record)})`]);
  return columnNames(record).filter((column) => !rows.some(({ name }) => name === column));
}

/** The check of the rows of a table of im-admin's own. They are nowhere else, so that a repair can mend nothing. */
export function recordCheck(record: RecordName): Check {
  const named = join(recordKeys[record].map(name), " || ' ' || ");
  // SQLite itself does not check conditions if a file is opened for reading.
  const conditions = all(recordColumns(record).map(({ condition }) => condition));
  return compare(`the rows of ${ourName(record)}`, [
    {
      problem: `rows of ${ourName(record)} have the same key`,
      wrong: sql`
        SELECT ${named} FROM ${our(record)} NOT INDEXED
          GROUP BY ${names(recordKeys[record])} HAVING count(*) > 1`,
      advice: "delete all of them but one",
    },
    {
      problem: `rows of ${ourName(record)} have values that it does not allow`,
      wrong: sql`SELECT ${named} FROM ${our(record)} WHERE NOT (${conditions})`,
      advice: "write others",
    },
  ]);
}
