/** The statements that install a map in a database, and remove it again. */
import { type RecordName, recordKeys, recordNames } from "../../records.js";
import { mostExamples } from "../../stores/finding.js";
import { readingFrom } from "../../stores/sqlite/mapped.js";
import { mapTriggers } from "../../stores/sqlite/schema/mapTable.js";
import { recordTables } from "../../stores/sqlite/schema/recordTables.js";
import { type Sources, selectsOf } from "../../stores/sqlite/schema/schema.js";
import { drop, trigger } from "../../stores/sqlite/schema/schemaObject.js";
import { defaultSizes, type Sizes } from "../../stores/sqlite/schema/sizes.js";
import { join, literal, name, names, our, ourName, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import { build, ownNoting } from "../../stores/sqlite/upkeep/bulk.js";
import { type MappedRecord, mappedRecords, type TableMap } from "../map.js";
import { aliasOf, columnsOf, isQuery } from "../mapNames.js";
import type { TablesSql } from "../statements.js";
import { fieldChecks, requireNamed } from "./fieldChecks.js";
import { obstaclesOf, rowsOf, sourcesOf } from "./hostSource.js";
import { columnsOfKey } from "./key.js";
import { mentionedWords } from "./watching.js";
import { plainName } from "./words.js";

/** The statements as text. */
export function sqliteSql(map: TableMap): TablesSql {
  requireNamed(map);
  const asText = (statements: readonly Sql[]) => statements.map(({ text }) => `${text};`);
  return {
    install: asText(installation(map)),
    build: [],
    check: asText([...checks(map).flatMap(([, statements]) => statements), triggerCheck(map)]),
    remove: asText(removal(map)),
  };
}

/** Installs a map and builds the lists. */
export function installation(map: TableMap, sizes: Sizes = defaultSizes): Sql[] {
  requireNoSchemas(map);
  const sources = sourcesOf(map);
  return [
    ...fieldChecks(map).map(({ statement }) => statement),
    mapTriggers.another.sql,
    sql`INSERT INTO im_admin_table_map (id, map) VALUES (abs(random() % 4503599627370496), ${literal(JSON.stringify(map))})`,
    drop(mapTriggers.another),
    mapTriggers.records.sql,
    ...noteSources(sources),
    drop(mapTriggers.records),
    ...[...sources.keys()].map((record) => sql`DROP TABLE ${our(record)}`),
    ...watched(sources),
    ...refusingDuplicates(map),
    ...built(sources, sizes),
  ];
}

/** Notes what stands in the place of tables of records. */
export function noteSources(sources: Sources): Sql[] {
  return [
    sql`DELETE FROM im_admin_sources`,
    ...Array.from(sources, ([record, { select, target }]) => {
      const written = target === undefined ? raw("NULL") : literal(JSON.stringify(target));
      return sql`
        INSERT INTO im_admin_sources (record, source, target) VALUES (${literal(record)}, ${literal(select)}, ${written})`;
    }),
  ];
}

/** Makes the indexes and triggers on a host's tables, and builds the lists over them. */
export function keeping(sources: Sources, sizes: Sizes): Sql[] {
  return [...watched(sources), ...built(sources, sizes)];
}

function watched(sources: Sources): Sql[] {
  return [...sources.values()].flatMap(({ objects }) => objects.map((object) => object.sql));
}

function built(sources: Sources, sizes: Sizes): Sql[] {
  const read = readingFrom(selectsOf(sources));
  return build(sizes, new Set(sources.keys())).map(({ text }) => raw(read(text)));
}

/** Fails if two records have the same key. Only a trigger can fail with a sentence. The indexes on keys are there. */
function refusingDuplicates(map: TableMap): Sql[] {
  const refusals = duplicatesOf(map).map(
    ([record, { problem, advice, examples }]) => sql`
      SELECT RAISE(ABORT, ${literal(`${record}: ${problem}: ${advice}`)})
        WHERE NEW.record = ${literal(record)} AND EXISTS (
          ${examples})`,
  );
  if (refusals.length === 0) return [];
  const refusal = trigger({ name: "sourcesUpdated", event: "BEFORE UPDATE", on: our("sources") }, refusals);
  return [refusal.sql, sql`UPDATE im_admin_sources SET source = source`, drop(refusal)];
}

/** Keys that several records have. */
interface Duplicates {
  problem: string;
  advice: string;
  /** Selects some of them as examples, with the number of all. */
  examples: Sql;
}

export function duplicatesOf(map: TableMap): [RecordName, Duplicates][] {
  const sources = sourcesOf(map);
  return mappedRecords(map).map(([record, { from }]) => [
    record,
    {
      problem: `rows of ${isQuery(from) ? aliasOf(from) : from} have the same key`,
      advice: "let where choose one of them, or name the column that grows in latest",
      examples: sql`
        SELECT ${namedKey(record)} AS example, count(*) OVER () AS count FROM (
          ${raw(sources.get(record)?.select ?? "")}
        ) GROUP BY ${names(recordKeys[record])} HAVING count(*) > 1 LIMIT ${literal(mostExamples)}`,
    },
  ]);
}

function namedKey(record: RecordName): Sql {
  return join(
    recordKeys[record].map((field) => sql`coalesce(${name(field)}, 'NULL')`),
    " || ', ' || ",
  );
}

/** Removes the map: the database gets its own tables again. */
export function removal(map: TableMap, sizes: Sizes = defaultSizes): Sql[] {
  const sources = sourcesOf(map);
  return [
    ...[...sources.values()].flatMap(({ objects }) => objects.toReversed().map(drop)),
    ...[...sources.keys()].map((record) => recordTables[record].sql),
    ...ownNoting(new Set(recordNames.filter((record) => !sources.has(record)))).map((trigger) => trigger.sql),
    sql`DELETE FROM im_admin_table_map`,
    sql`DELETE FROM im_admin_sources`,
    ...build(sizes, new Set(sources.keys())),
  ];
}

/** Triggers cannot name a table of another database. */
function requireNoSchemas(map: TableMap): void {
  for (const [record, { from, also = [] }] of mappedRecords(map)) {
    for (const table of [...(isQuery(from) ? [] : [from]), ...also.map(({ table }) => table)]) {
      if (/[^"]\.|"\./.test(table)) throw new TypeError(`${record}: name the table ${table} without its schema`);
    }
  }
}

/** Queries for problems of the tables and their rows. Each returns rows of kind, problem, count and example. */
export function checks(map: TableMap): [RecordName, Sql[]][] {
  const duplicates = new Map(duplicatesOf(map));
  return mappedRecords(map).map(([record, mapped]) => [
    record,
    [...checksOf(record, mapped, map.separator ?? ":"), ...duplicateCheck(duplicates.get(record))],
  ]);
}

function duplicateCheck(duplicates: Duplicates | undefined): Sql[] {
  if (duplicates === undefined) return [];
  const { problem, examples } = duplicates;
  return [
    sql`
      SELECT 'unmendable' AS kind, ${literal(problem)} AS problem, count, min(example) AS example FROM (
        ${examples}
      ) HAVING count > 0`,
  ];
}

function checksOf(record: RecordName, mapped: MappedRecord, separator: string): Sql[] {
  const { from, also = [] } = mapped;
  const reasons = obstaclesOf(record, mapped, separator).map(
    ([reason, condition]) => sql`WHEN ${condition} THEN ${literal(`rows of ${from} are not listed: ${reason}`)}`,
  );
  const tables = [...(isQuery(from) ? [] : [from]), ...also.map(({ table }) => table)];
  return [
    sql`
      SELECT 'note' AS kind, problem, count(*) AS count, min(example) AS example FROM (
        SELECT CASE
            ${join(reasons, "\n")}
          END AS problem, ${namedKey(record)} AS example
          FROM (
            ${rowsOf(record, mapped, separator)}
          )
      ) WHERE problem IS NOT NULL GROUP BY problem`,
    ...(isQuery(from) ? [] : [uniqueCheck(record, mapped)]),
    ...tables.map((table) => generatedCheck(record, mapped, table)),
  ];
}

function generatedCheck(record: RecordName, mapped: MappedRecord, table: string): Sql {
  const problem = `${table} has generated columns, whose changes are not noticed: map what they are made of`;
  return sql`
    SELECT 'unmendable' AS kind, ${literal(problem)} AS problem, count(*) AS count, min(name) AS example
      FROM pragma_table_xinfo(${tableLiteral(table)}) WHERE hidden IN (2, 3) AND lower(name) IN (
        SELECT lower(value) FROM json_each(${literal(JSON.stringify(mentionedWords(record, mapped)))}))
      HAVING count(*) > 0`;
}

/** The triggers on a host's tables. */
export function triggersOf(sources: Sources): { name: string; table: string }[] {
  return [...sources.values()].flatMap(({ objects }) =>
    objects.flatMap(({ type, name, on = "" }) => (type === "trigger" ? [{ name, table: plainName(on) }] : [])),
  );
}

/**
 * Finds triggers that are gone with a dropped table. Only SQL of a host needs this query: `im-admin check` compares all
 * definitions.
 */
function triggerCheck(map: TableMap): Sql {
  const triggers = triggersOf(sourcesOf(map)).map(({ name, table }) => [name, table]);
  return sql`
    SELECT 'wrong' AS kind, 'the triggers on ' || (value ->> 1) || ' are gone, and lists are no longer kept' AS problem,
        count(*) AS count, min(value ->> 0) AS example
      FROM json_each(${literal(JSON.stringify(triggers))})
      WHERE (value ->> 0) NOT IN (SELECT name FROM sqlite_schema WHERE type = 'trigger')
      GROUP BY value ->> 1`;
}

/** The name of a table, as a constant text. */
function tableLiteral(from: string): Sql {
  return literal(plainName(from));
}

/**
 * Finds unique columns that the map does not name. A REPLACE may delete a row of another key by them, or, by a key that
 * ignores the case, a row whose key has another case.
 */
function uniqueCheck(record: RecordName, { from, key, unique = [] }: MappedRecord): Sql {
  const keyColumns = columnsOfKey(key);
  const told = unique.map((columns) => JSON.stringify([...columnsOf(columns)].sort()));
  const table = tableLiteral(from);
  const problem = `${from} has unique columns that the map does not tell: a REPLACE by them is not noticed`;
  return sql`
    SELECT 'note' AS kind, ${literal(problem)} AS problem, count(*) AS count, min(columns) AS example FROM (
      SELECT (SELECT json_group_array(name) FROM (SELECT name FROM pragma_index_info(own.name) ORDER BY name)) AS columns,
          (SELECT max(key AND coll <> 'BINARY') FROM pragma_index_xinfo(own.name)) AS is_inexact
        FROM pragma_index_list(${table}) own WHERE "unique" AND own.name NOT LIKE ${literal(`${ourName(record)}%`)}
      UNION
      SELECT json_array(name), 0 FROM pragma_table_info(${table})
        WHERE pk = 1 AND upper(type) = 'INTEGER' AND (SELECT max(pk) FROM pragma_table_info(${table})) = 1
    )
      WHERE (is_inexact OR EXISTS (SELECT 1 FROM json_each(${literal(JSON.stringify(keyColumns))}) own
          WHERE own.value NOT IN (SELECT value FROM json_each(columns))))
        ${raw(told.length === 0 ? "" : `AND columns NOT IN (${told.map((columns) => literal(columns).text).join(", ")})`)}
      HAVING count(*) > 0`;
}
