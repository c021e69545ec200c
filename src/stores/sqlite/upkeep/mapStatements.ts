/** The statements that install a map in a database, and remove it again. */
import { type RecordName, recordNames } from "../../../records.js";
import { mappedRecords, type TableMap } from "../../../tables/map.js";
import { isQuery } from "../../../tables/mapNames.js";
import { anotherMap, type TablesSql } from "../../../tables/statements.js";
import { checks, duplicatesOf } from "../map/checks.js";
import { fieldChecks, requireNamed } from "../map/fieldChecks.js";
import { sourcesOf } from "../map/hostSource.js";
import type { Mark } from "../map/marks.js";
import { plainName } from "../map/sqlWords.js";
import { recordTables } from "../schema/recordTables.js";
import { noSources, type Sources } from "../schema/schema.js";
import { drop, failIf } from "../schema/schemaObject.js";
import { defaultSizes, type Sizes } from "../schema/sizes.js";
import { join, literal, our, ourName, raw, type Sql, sql } from "../sql.js";
import { buildFrom, noteMarks } from "./buildFrom.js";
import { ownNoting } from "./bulk.js";
import { refusalOf, type Unserved, unindexed } from "./lookUps.js";

/** The statements as text. */
export function sqliteSql(map: TableMap): TablesSql {
  requireNamed(map);
  const asText = (statements: readonly Sql[]) => statements.map(({ text }) => `${text};`);
  return {
    install: asText(installation(map, defaultSizes, unindexed(map))),
    build: [],
    check: asText([...checks(map).flatMap(([, statements]) => statements), ...indexChecks(map), lostCheck(map)]),
    remove: asText(removal(map)),
  };
}

/** Installs a map and builds the lists. It refuses the look-ups whose conditions hold. */
export function installation(
  map: TableMap,
  sizes: Sizes = defaultSizes,
  lookUps: readonly (readonly [Unserved, Sql])[] = [],
  marks?: readonly Mark[],
): Sql[] {
  requireNoSchemas(map);
  const sources = sourcesOf(map);
  return [
    ...fieldChecks(map).map(({ statement }) => statement),
    ...failIf([["tables are mapped already: take that back first", sql`EXISTS (SELECT 1 FROM im_admin_table_map)`]]),
    sql`INSERT INTO im_admin_table_map (id, map) VALUES (abs(random() % 4503599627370496), ${literal(JSON.stringify(map))})`,
    ...failIf([...sources.keys()].map(holdsRecords)),
    ...noteSources(sources),
    ...[...sources.keys()].map((record) => sql`DROP TABLE ${our(record)}`),
    ...watched(sources),
    ...noteMarks(marks),
    ...failIf([...lookUps.map(unservedRefusal), ...duplicatesOf(map).map(duplicateRefusal)]),
    ...buildFrom(sources, sizes, new Set(sources.keys()), marks),
  ];
}

/** Notes what stands in the place of tables of records. */
export function noteSources(sources: Sources): Sql[] {
  return [
    sql`DELETE FROM im_admin_sources`,
    ...Array.from(sources, ([record, { select, careful, keys, target }]) => {
      const written = target === undefined ? raw("NULL") : literal(JSON.stringify(target));
      const values = [record, select, careful, JSON.stringify(keys)].map(literal);
      return sql`
        INSERT INTO im_admin_sources (record, source, careful, keys, target)
          VALUES (${join(values)}, ${written})`;
    }),
  ];
}

/** Makes the triggers on a host's tables, and builds the lists over them. */
export function keeping(sources: Sources, sizes: Sizes, marks?: readonly Mark[]): Sql[] {
  return [...watched(sources), ...buildFrom(sources, sizes, new Set(sources.keys()), marks)];
}

function watched(sources: Sources): Sql[] {
  return [...sources.values()].flatMap(({ objects }) => objects.map((object) => object.sql));
}

type Refusal = readonly [sentence: string, condition: Sql];

/** Records in a table of im-admin's own would be lost. */
function holdsRecords(record: RecordName): Refusal {
  const sentence = `${ourName(record)} has records, which would be lost: remove them, or leave them out of the map`;
  return [sentence, sql`EXISTS (SELECT 1 FROM ${our(record)})`];
}

/** A table has no index for its key. */
function unservedRefusal([lookUp, condition]: readonly [Unserved, Sql]): Refusal {
  return [refusalOf(lookUp), condition];
}

/** Two records have the same key. */
function duplicateRefusal([record, { problem, advice, examples }]: ReturnType<typeof duplicatesOf>[number]): Refusal {
  const condition = sql`
    EXISTS (
      ${examples})`;
  return [`${record}: ${problem}: ${advice}`, condition];
}

/** Removes the map: the database gets its own tables again. */
export function removal(map: TableMap, sizes: Sizes = defaultSizes): Sql[] {
  const sources = sourcesOf(map);
  return [
    ...failIf([anotherRefusal(sources)]),
    ...[...sources.values()].flatMap(({ objects }) => objects.toReversed().map(drop)),
    ...[...sources.keys()].map((record) => recordTables[record].sql),
    ...ownNoting(new Set(recordNames.filter((record) => !sources.has(record)))).map((trigger) => trigger.sql),
    sql`DELETE FROM im_admin_table_map`,
    sql`DELETE FROM im_admin_sources`,
    ...buildFrom(noSources, sizes, new Set(sources.keys())),
  ];
}

/** The installed map has other kinds of records, whose tables these statements would not make. */
function anotherRefusal(sources: Sources): Refusal {
  const kinds = literal([...sources.keys()].sort().join(", "));
  const installed = sql`(SELECT group_concat(record, ', ') FROM (SELECT record FROM im_admin_sources ORDER BY record))`;
  return [anotherMap, sql`${installed} <> ${kinds}`];
}

/** Triggers cannot name a table of another database. */
function requireNoSchemas(map: TableMap): void {
  for (const [record, { from, also = [] }] of mappedRecords(map)) {
    for (const table of [...(isQuery(from) ? [] : [from]), ...also.map(({ table }) => table)]) {
      if (/[^"]\.|"\./.test(table)) throw new TypeError(`${record}: name the table ${table} without its schema`);
    }
  }
}

/** The triggers on a host's tables. */
export function triggersOn(sources: Sources): { name: string; table: string }[] {
  return [...sources.values()].flatMap(({ objects }) =>
    objects.map(({ name, on = "" }) => ({ name, table: plainName(on) })),
  );
}

/** Finds tables that have lost the index of their key. */
function indexChecks(map: TableMap): Sql[] {
  return unindexed(map).map(
    ([lookUp, condition]) => sql`
      SELECT 'unmendable' AS kind, ${literal(refusalOf(lookUp))} AS problem, 1 AS count, NULL AS example WHERE ${condition}`,
  );
}

/**
 * Finds triggers that are gone with a dropped table. Only SQL of a host needs this query: `im-admin check` compares all
 * definitions.
 */
function lostCheck(map: TableMap): Sql {
  const made = triggersOn(sourcesOf(map)).map(({ name, table }) => [name, table]);
  return sql`
    SELECT 'wrong' AS kind, 'the triggers on ' || (value ->> 1) || ' are gone, and lists are no longer kept' AS problem,
        count(*) AS count, min(value ->> 0) AS example
      FROM json_each(${literal(JSON.stringify(made))})
      WHERE (value ->> 0) NOT IN (SELECT name FROM sqlite_schema WHERE type = 'trigger')
      GROUP BY value ->> 1`;
}
