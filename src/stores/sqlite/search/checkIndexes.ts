/**
 * What is to be true of the full-text indexes. SQLite's own check looks at the records of an index, and not at whether
 * they are all there. So for each word, what the index finds is compared with what an index finds that is made anew of
 * the documents, in a temporary table.
 */
import { type Check, type Comparison, compare, type Temporary } from "../comparison.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { name, raw, type Sql, sql } from "../sql.js";
import { documentID } from "./documents.js";
import { gramIndex, gramsOf, isBeyondAscii, trigramIndex } from "./tables.js";

const right = name("rightIndex");

const id = documentID(sql`list`, sql`member`);

/** How often each text of a document is in the indexes: as often as it is there, but for what they are yet to be told. */
const changed = sql`
  SELECT id, text, sum(times) AS times FROM (
    SELECT ${id} AS id, text, 1 AS times FROM im_admin_documents WHERE ${id} IN (SELECT document FROM im_admin_document_changes)
    UNION ALL
    SELECT document, text, -change FROM im_admin_document_changes
  ) GROUP BY id, text`;

/** What the indexes have been told, in the order of ids, which they need. */
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
  // Nothing is ever deleted from this one: it may find more.
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

/** An index of the same kind with what the real one has to find, and the words of both. */
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

/** The ids that an index finds by a word. */
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

/** An index counts its rows and words in its first record; it cannot be written without it. */
function missingCounters({ name: index }: SchemaObject): Comparison {
  return {
    problem: `the full-text index ${index} has lost its counters`,
    wrong: sql`SELECT 'record 1' WHERE NOT EXISTS (SELECT 1 FROM ${name(`${index}_data`)} WHERE id = 1)`,
  };
}

/** Where rows are deleted, the counters have to be right too: an index with none refuses to delete one. */
function wrongCounters({ name: index }: SchemaObject): Comparison {
  // Those of an index that never had a row are empty, and those of one that has lost all of them are zero.
  const counters = (table: Sql) => sql`SELECT ltrim(hex(block), '0') FROM ${table} WHERE id = 1`;
  return {
    problem: `the full-text index ${index} has wrong counters`,
    wrong: sql`
      SELECT 'record 1'
        WHERE (${counters(name(`${index}_data`))}) IS NOT (${counters(sql`temp.right_index_data`)})`,
  };
}

/** What can be said of the tables of an index without opening it. */
function tablesCheck({ name: index }: SchemaObject): Check {
  const config = name(`${index}_config`);
  const data = name(`${index}_data`);
  const idx = name(`${index}_idx`);
  // The id of a record has its segment, a bit for a list of pages, five bits for the height, and its page.
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
