/** The checks of the tables of records. Their rows are nowhere else, so a repair can mend little. */
import { type RecordName, recordKeys } from "../../../records.js";
import type { Finding } from "../../finding.js";
import { type Check, compare } from "../comparison.js";
import type { SqlDatabase } from "../database.js";
import { columnsOf } from "../schema/recordColumns.js";
import { recordTables } from "../schema/recordTables.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { readStored, type StoredObject, storedAs } from "../schema/storedSchema.js";
import { all, join, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";

/** The checks of tables of im-admin's own. */
export function recordChecks(records: readonly RecordName[]): Check[] {
  return records.flatMap(checksOf);
}

const checksOf = (table: RecordName): Check[] => [
  definitionCheck(table),
  compare(`the keys of ${ourName(table)}`, [
    {
      problem: `rows of ${ourName(table)} have the same key`,
      wrong: sql`
        SELECT ${named(table)} FROM ${our(table)} NOT INDEXED
          GROUP BY ${names(recordKeys[table])} HAVING count(*) > 1`,
      advice: "delete all of them but one",
    },
  ]),
  compare(`the values of ${ourName(table)}`, [
    {
      problem: `rows of ${ourName(table)} have values that it does not allow`,
      wrong: sql`SELECT ${named(table)} FROM ${our(table)} WHERE NOT (${all(conditionsOf(table))})`,
      advice: "write others",
    },
  ]),
];

/** Checks that a table has the columns of its records, and their conditions. */
export function definitionCheck(table: RecordName): Check {
  return { what: `the definition of ${ourName(table)}`, find: (database) => checkDefinition(database, table) };
}

function named(table: RecordName): Sql {
  return join(recordKeys[table].map(name), " || ' ' || ");
}

/** The conditions in a table's definition. SQLite itself does not check them if a file is opened for reading. */
function conditionsOf(table: RecordName): Sql[] {
  return [...recordTables[table].sql.text.matchAll(/CHECK \((.*)\),?$/gm)].map(([, condition = ""]) => raw(condition));
}

async function checkDefinition(database: SqlDatabase, table: RecordName): Promise<Finding[]> {
  const stored = storedAs(await readStored(database), recordTables[table]);
  if (stored === undefined) return [unmendable(`the table ${ourName(table)} is missing`, "restore it from a backup")];
  if (stored.type !== "table") {
    return [
      unmendable(
        `the table ${ourName(table)} is missing: the ${stored.type} of that name is none of ours`,
        `drop the ${stored.type}, and restore the table from a backup`,
      ),
    ];
  }
  if (isAsMade(stored, recordTables[table])) return [];
  const columns = await columnsOfTable(database, table);
  const renamed = renamedColumn(columns, table);
  if (renamed !== undefined) {
    return [
      {
        kind: "wrong",
        problem: `the column ${renamed.column} of ${ourName(table)} is called ${renamed.called}`,
        count: 1,
      },
    ];
  }
  const advice = "put its rows into a new database of im-admin";
  const missing = missingOf(columns, table);
  if (missing.length === 0) {
    return [unmendable(`the table ${ourName(table)} is another one than im-admin makes`, advice)];
  }
  const problem = `the table ${ourName(table)} lacks columns`;
  return [{ kind: "unmendable", problem, count: missing.length, example: String(missing[0]), advice }];
}

function unmendable(problem: string, advice: string): Finding {
  return { kind: "unmendable", problem, count: 1, advice };
}

/**
 * Whether a table has our definitions. ALTER TABLE ADD COLUMN puts columns of later versions and of a host after those that
 * are there, before the key, and RENAME COLUMN may put a name in quotes.
 */
function isAsMade(stored: StoredObject, { sql: { text: expected } }: SchemaObject): boolean {
  const inOneLine = (text: string) => text.replace(/"(\w+)"/g, "$1").replace(/\s+/g, " ");
  let rest = inOneLine(stored.text);
  const [first = "", ...others] = expected.split(",\n").map(inOneLine);
  const definitions = [first, ...others.map((definition) => `,${definition}`)];
  for (const [index, definition] of definitions.entries()) {
    const place = rest.indexOf(definition);
    const isEnd = index === definitions.length - 1;
    const isWhole = isEnd ? rest.endsWith(definition) : rest[place + definition.length] === ",";
    if (place < 0 || !isWhole || (index === 0 && place > 0)) return false;
    rest = rest.slice(place + definition.length);
  }
  return true;
}

/** A column of ours that was renamed; undefined if it is not clear which one. */
export function renamedColumn(
  stored: readonly string[],
  table: RecordName,
): { column: string; called: string } | undefined {
  const expected = expectedColumns(table);
  const [column, ...furtherMissing] = missingOf(stored, table);
  const [called, ...furtherUnknown] = stored.filter((other) => !expected.includes(other));
  if (column === undefined || called === undefined || furtherMissing.length + furtherUnknown.length > 0)
    return undefined;
  return stored.indexOf(called) === expected.indexOf(column) ? { column, called } : undefined;
}

function expectedColumns(table: RecordName): string[] {
  return columnsOf(table);
}

function missingOf(stored: readonly string[], table: RecordName): string[] {
  return expectedColumns(table).filter((column) => !stored.includes(column));
}

/** The names of a table's columns. */
export async function columnsOfTable(database: SqlDatabase, table: RecordName): Promise<string[]> {
  const [rows = []] = await database.read([sql`SELECT name FROM pragma_table_info(${ourName(table)}) ORDER BY cid`]);
  return rows.map((row) => String(row["name"]));
}
