/** Writes the numbered files of SQLite's schema from its definitions: see "Versions of the schema" in CONTRIBUTING.md. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type { Row } from "../src/stores/sqlite/database.js";
import { listed } from "../src/stores/sqlite/schema/listed.js";
import { migrationTexts } from "../src/stores/sqlite/schema/migration.js";
import { statementsOf } from "../src/stores/sqlite/schema/migrations.js";
import { recordTables } from "../src/stores/sqlite/schema/recordTables.js";
import { noteTables, schemaOf } from "../src/stores/sqlite/schema/schema.js";
import type { SchemaObject } from "../src/stores/sqlite/schema/schemaObject.js";
import { type StoredObject, selectStored, storedOf, versionObject } from "../src/stores/sqlite/schema/storedSchema.js";
import { literal, name, our, sql } from "../src/stores/sqlite/sql.js";

/** What each table is for, without quotation marks: not all programs that split a file know comments. */
const purposes: Readonly<Record<string, string>> = {
  im_admin_schema_version: "The version of the schema, in the only row.",
  im_admin_users: "The users. Any program may write the tables of records, which are this one and the next five.",
  im_admin_groups: "The groups.",
  im_admin_group_members: "Who is in which group.",
  im_admin_blacks: "Whom a user has blocked.",
  im_admin_group_requests: "Who has asked to join a group.",
  im_admin_conversations: "What a user has set for a conversation.",
  im_admin_table_map: "The map of tables of a host, as JSON, if the host keeps records there.",
  im_admin_sources: "The SELECT that is read in place of a table of records, if there is a map.",
  im_admin_last_import: "Up to when the records have what another server has.",
  im_admin_followed: "The key of the record that each document of the other server has become.",
  im_admin_changed: "The keys of records that were written since the lists were settled. Triggers note them.",
  im_admin_unreadable: "What could not be read of a host's rows when they were last settled.",
  im_admin_listed_users: "The users in lists. Only im-admin writes this table and all that follow.",
  im_admin_listed_group_members: "The members in lists.",
  im_admin_listed_blacks: "The entries in blacklists.",
  im_admin_listed_group_requests: "The join requests in lists.",
  im_admin_lists: "The totals of lists. Short lists have none.",
  im_admin_list_nodes: "How many rows each part of a list has.",
  im_admin_list_words: "The words of each part of a list that is searched.",
};

/** The text of a file: an empty line is between two statements. */
function fileOf(version: number, statements: readonly string[]): string {
  const told = statements.map((statement) => {
    const [, table] = /^CREATE (?:VIRTUAL )?TABLE (\w+)/.exec(statement) ?? [];
    if (table === undefined) return `${statement};`;
    const purpose = purposes[table];
    if (purpose === undefined) throw new Error(`say in build/migration.ts what ${table} is for`);
    return `-- ${purpose}\n${statement};`;
  });
  const title = `-- Schema version ${version} of im-admin in SQLite, for \`wrangler d1 migrations apply\` too. \`npm run migration\` makes it.`;
  return `${[title, ...told].join("\n\n")}\n`;
}

/** The file that makes version 1 of nothing. */
export function firstFile(): string {
  const made = [versionObject, ...schemaOf()].map(({ sql }) => sql.text);
  return fileOf(1, [...made, "INSERT INTO im_admin_schema_version (version) VALUES (1)"]);
}

/** The tables whose rows are nowhere else. All others are kept data, which can be made again. */
const lasting = new Set([versionObject, ...noteTables, ...Object.values(recordTables)].map(({ name }) => name));

/**
 * The file that leads from what some files make to the definitions; undefined if they make the same. If kept data
 * changes, all of it is made anew, and all keys are noted as changed: settling builds the lists.
 *
 * @throws Error that names the tables whose change it cannot derive
 */
export function nextFile(texts: readonly string[], definitions: readonly SchemaObject[]): string | undefined {
  const before = madeBy(texts.flatMap(statementsOf).map(({ text }) => text));
  const after = madeBy([versionObject, ...definitions].map(({ sql }) => sql.text));
  const all = [...before.values(), ...after.values()];
  const isSame = ({ name }: StoredObject) => isAlike(before.get(name), after.get(name));
  const isRenewed = all.some((object) => !lasting.has(object.table) && object.type !== "trigger" && !isSame(object));
  const isChanged = (object: StoredObject) => !isSame(object) || (isRenewed && !lasting.has(object.table));
  if (!all.some(isChanged)) return undefined;

  const added = new Map<string, string[] | undefined>();
  for (const table of [...after.values()].filter(({ name }) => lasting.has(name)).filter(isChanged)) {
    const old = before.get(table.name);
    if (old !== undefined) added.set(table.name, additions(old, table));
  }
  const gone = [...before.values()].filter(({ name, table }) => name === table && !after.has(name));
  const unknown = [...added.keys(), ...gone.map(({ name }) => name)].filter((table) => added.get(table) === undefined);
  if (unknown.length > 0) throw new Error(`write by hand what becomes of ${unknown.join(", ")}`);
  const isRemade = (object?: StoredObject) => object !== undefined && isChanged(object) && !added.has(object.name);
  // A table takes its indexes and triggers with it.
  const dropped = [...before.values()].filter(
    ({ name, table }) => isRemade(before.get(name)) && (name === table || !isRemade(before.get(table))),
  );
  return fileOf(texts.length + 1, [
    ...dropped.map(({ type, name }) => `DROP ${type.toUpperCase()} ${name}`),
    ...[...added.values()].flatMap((statements = []) => statements),
    ...[...after.values()].filter(isRemade).map(({ text }) => text),
    ...(isRenewed ? notes : []),
    `UPDATE im_admin_schema_version SET version = ${texts.length + 1}`,
  ]);
}

/** What some statements make, in its order: all but what SQLite makes with it. */
function madeBy(statements: readonly string[]): Map<string, StoredObject> {
  const database = new BetterSqlite3(":memory:");
  for (const statement of statements) database.exec(statement);
  const stored = storedOf(database.prepare<[], Row>(selectStored.text).all());
  database.close();
  const own = stored.filter(({ text }) => text !== "");
  return new Map(own.map((object) => [object.name, object]));
}

/** Whether two definitions differ in blanks at most: SQLite puts a column that is added later into the text itself. */
function isAlike(left?: StoredObject, right?: StoredObject): boolean {
  return left?.text.replace(/\s/g, "") === right?.text.replace(/\s/g, "");
}

/** The statements that add the columns of a table that it has not had; undefined if it then is another table still. */
function additions(before: StoredObject, after: StoredObject): string[] | undefined {
  const lines = after.text.split("\n").map((line) => line.trim().replace(/,$/, ""));
  const added = lines.filter((line) => !before.text.includes(line));
  const statements = added.map((line) => `ALTER TABLE ${after.name} ADD COLUMN ${line}`);
  try {
    const made = madeBy([before.text, ...statements]).get(after.name);
    return isAlike(made, after) ? statements : undefined;
  } catch {
    // The line is no column, or one that the table has with other checks.
    return undefined;
  }
}

/** Notes all keys of records with lists as changed. */
const notes = listed.map(({ table, key }) => {
  const [first = literal(""), second = literal("")] = key.map(name);
  return sql`
    INSERT INTO im_admin_changed (kind, first, second)
      SELECT ${literal(table)}, ${first}, ${second} FROM ${our(table)}`.text;
});

/**
 * Writes a file into `migrations`.
 *
 * @param given `--first` until the first release, or the name of a change
 */
export function write(given = ""): void {
  const folder = new URL("../migrations/", import.meta.url);
  const isFirst = given === "--first";
  if (!isFirst && !/^[a-z][a-z0-9_]*$/.test(given))
    throw new Error("say --first, or after the first release a name such as new_field");
  if (isFirst && execFileSync("git", ["tag"], { encoding: "utf8" }) !== "") throw new Error("version 1 is released");
  const text = isFirst ? firstFile() : nextFile(migrationTexts, schemaOf());
  if (text === undefined) throw new Error("the files make what the definitions say");
  const file = isFirst ? "0001.sql" : `${String(migrationTexts.length + 1).padStart(4, "0")}_${given}.sql`;
  writeFileSync(new URL(file, folder), text);
  process.stdout.write(`wrote migrations/${file}, which src/stores/sqlite/schema/migration.ts names\n`);
}
