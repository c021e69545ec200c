/** Queries for problems of a host's tables and their rows. */
import { type RecordName, recordKeys } from "../../../records.js";
import { type MappedRecord, mappedRecords, type TableMap } from "../../../tables/map.js";
import { aliasOf, isQuery, keyColumnNames } from "../../../tables/mapNames.js";
import { firstLikelyTime, unlikelyTimes } from "../../../tables/numbers.js";
import { mostExamples } from "../../finding.js";
import { join, literal, name, names, ourName, raw, type Sql, sql } from "../sql.js";
import { carefulRows, obstaclesOf, sourcesOf } from "./hostSource.js";
import { columnsOfKey } from "./key.js";
import { plainName } from "./sqlWords.js";
import { mentionedWords } from "./watching.js";

/** Keys that several records have. */
interface Duplicates {
  problem: string;
  advice: string;
  /** Selects some of them as examples, with the number of all. */
  examples: Sql;
}

/** Finds records with the same key, among the rows that can be read. */
export function duplicatesOf(map: TableMap): [RecordName, Duplicates][] {
  const sources = sourcesOf(map);
  return mappedRecords(map).map(([record, { from }]) => [
    record,
    {
      problem: `rows of ${isQuery(from) ? aliasOf(from) : from} have the same key`,
      advice: "let where choose one of them, or name the column that grows in latest",
      examples: sql`
        SELECT ${namedKey(record)} AS example, count(*) OVER () AS count FROM (
          ${raw(sources.get(record)?.careful ?? "")}
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

/** Queries for problems of the tables and their rows. Each returns rows of kind, problem, count and example. */
export function checks(map: TableMap): [RecordName, Sql[]][] {
  const duplicates = new Map(duplicatesOf(map));
  const { separator = ":" } = map;
  return mappedRecords(map).map(([record, mapped]) => {
    const rows = carefulRows(record, mapped, separator);
    return [record, [...checksOf(record, mapped, separator, rows), ...duplicateCheck(duplicates.get(record))]];
  });
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

function checksOf(record: RecordName, mapped: MappedRecord, separator: string, rows: Sql): Sql[] {
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
            ${rows}
          )
      ) WHERE problem IS NOT NULL GROUP BY problem`,
    ...unlikelyTimes(record, mapped).map(
      ([field, problem]) => sql`
        SELECT 'note' AS kind, ${literal(problem)} AS problem, count(*) AS count, max(${name(field)}) AS example FROM (
          ${rows}
        ) WHERE ${name(field)} > 0 HAVING max(${name(field)}) < ${literal(firstLikelyTime)}`,
    ),
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
  const told = unique.map((columns) => JSON.stringify([...keyColumnNames(columns)].sort()));
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
