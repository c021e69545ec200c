/**
 * The checks of the full-text indexes. SQLite's own check reads the records of an index, but does not notice missing
 * ones. So these checks build a second index from the documents, in a temporary table, and compare the ids that both
 * find for each word.
 */
import { type Check, type Comparison, compare, type Temporary } from "../comparison.js";
import { documentID, documentIndexes, gramsOf, isBeyondAscii } from "../schema/documents.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { name, raw, type Sql, sql } from "../sql.js";

const [trigramIndex, gramIndex] = documentIndexes();
const right = name("rightIndex");

const id = documentID(sql`list`, sql`member`);

/**
 * How many times each text of a document must be in the indexes: its documents, minus the changes that the indexes have
 * not got yet.
 */
const changed = sql`
  SELECT id, text, sum(times) AS times FROM (
    SELECT ${id} AS id, text, 1 AS times FROM im_admin_documents WHERE ${id} IN (SELECT document FROM im_admin_document_changes)
    UNION ALL
    SELECT document, text, -change FROM im_admin_document_changes
  ) GROUP BY id, text`;

/** The texts that the indexes must have, in the order of ids, which an index needs. */
const told = sql`
  SELECT ${id} AS id, text FROM im_admin_documents WHERE ${id} NOT IN (SELECT document FROM im_admin_document_changes)
  UNION ALL
  SELECT id, text FROM (${changed}) WHERE times > 0
  ORDER BY id`;
const rightGrams = sql`SELECT id, ${gramsOf(sql`text`)} FROM (${told}) WHERE ${isBeyondAscii}`;

export const indexChecks: readonly Check[] = [
  tablesCheck(trigramIndex),
  tablesCheck(gramIndex),
  compare("the changes of documents", [
    {
      problem: "documents have changed otherwise than the full-text indexes are told",
      wrong: sql`SELECT replace(text, x'0a', ' ') FROM (${changed}) WHERE times NOT IN (0, 1)`,
    },
  ]),
  // Nothing is ever deleted from this index, so it may find more.
  compare(
    `the full-text index ${trigramIndex.name}`,
    [missingWords(trigramIndex), missingCounters(trigramIndex)],
    rightIndex(trigramIndex, told),
  ),
  compare(
    `the full-text index ${gramIndex.name}`,
    [missingWords(gramIndex), superfluousWords(gramIndex), wrongCounters(gramIndex)],
    rightIndex(gramIndex, rightGrams),
  ),
];

/** Builds an index of the same kind with the right content, and tables of the words of both. */
function rightIndex({ name: index, sql: { text } }: SchemaObject, rows: Sql): Temporary {
  return {
    make: [
      raw(text.replace(` ${index} `, " temp.right_index ")),
      sql`INSERT INTO ${right} (rowid, ${name(index === gramIndex.name ? "grams" : "text")}) ${rows}`,
      sql`CREATE VIRTUAL TABLE temp.right_words USING fts5vocab (temp, right_index, row)`,
      sql`CREATE VIRTUAL TABLE temp.stored_words USING fts5vocab (main, ${name(index)}, row)`,
    ],
    drop: ["storedWords", "rightWords", "rightIndex"].map((table) => sql`DROP TABLE temp.${name(table)}`),
  };
}

/** The ids that an index finds for a word. */
function found(index: Sql): Sql {
  return sql`SELECT rowid FROM ${index} WHERE ${index} MATCH '"' || replace(words.term, '"', '""') || '"'`;
}

function missingWords({ name: index }: SchemaObject): Comparison {
  return {
    problem: `words of documents are not found in the full-text index ${index}`,
    wrong: sql`SELECT quote(term) FROM right_words words WHERE EXISTS (${found(right)} EXCEPT ${found(name(index))})`,
  };
}

function superfluousWords({ name: index }: SchemaObject): Comparison {
  return {
    problem: `the full-text index ${index} finds words that documents do not have`,
    wrong: sql`SELECT quote(term) FROM stored_words words WHERE EXISTS (${found(name(index))} EXCEPT ${found(right)})`,
  };
}

/**
 * Checks that the first record is there, in which an index counts its rows and words. Without it, nobody can write the
 * index.
 */
function missingCounters({ name: index }: SchemaObject): Comparison {
  return {
    problem: `the full-text index ${index} has lost its counters`,
    wrong: sql`SELECT 'record 1' WHERE NOT EXISTS (SELECT 1 FROM ${name(`${index}_data`)} WHERE id = 1)`,
  };
}

/**
 * If rows are deleted from an index, its counters must be right too: an index with a count of 0 refuses to delete a
 * row.
 */
function wrongCounters({ name: index }: SchemaObject): Comparison {
  // The counters are empty if the index never had a row, and zero if it has lost all of its rows.
  const counters = (table: Sql) => sql`SELECT ltrim(hex(block), '0') FROM ${table} WHERE id = 1`;
  return {
    problem: `the full-text index ${index} has wrong counters`,
    wrong: sql`
      SELECT 'record 1'
        WHERE (${counters(name(`${index}_data`))}) IS NOT (${counters(sql`temp.right_index_data`)})`,
  };
}

/** Checks the tables of an index without opening the index. */
function tablesCheck({ name: index }: SchemaObject): Check {
  const config = name(`${index}_config`);
  const data = name(`${index}_data`);
  const idx = name(`${index}_idx`);
  // The id of a record is composed of its segment, a bit for a list of pages, five bits for the height, and its page.
  const segment = raw("id >> 37");
  const page = raw("id & 0x7fffffff");
  return compare(`the tables of the full-text index ${index}`, [
    {
      problem: `the full-text index ${index} has other settings`,
      wrong: sql`SELECT k || ' = ' || v FROM ${config} WHERE k <> 'hashsize' AND (k <> 'version' OR v <> 4)`,
    },
    {
      problem: `records of the full-text index ${index} have no way to them`,
      wrong: sql`
        SELECT 'segment ' || (${segment}) FROM ${data}
          WHERE ${segment} > 0 GROUP BY ${segment} HAVING ${segment} NOT IN (SELECT segid FROM ${idx})`,
    },
    {
      problem: `ways of the full-text index ${index} lead to no record`,
      wrong: sql`
        SELECT 'segment ' || segid || ', page ' || (pgno >> 1) FROM ${idx}
          WHERE (segid, pgno >> 1) NOT IN (SELECT ${segment}, ${page} FROM ${data} WHERE ${segment} > 0)`,
    },
  ]);
}
