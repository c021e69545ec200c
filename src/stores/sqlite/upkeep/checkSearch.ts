/**
 * The checks of documents and of their full-text indexes. SQLite's own check reads the records of an index, but does not
 * notice missing ones. So a check builds the indexes that should be there in temporary tables, by the statements that
 * build the kept ones. Where both have the same name, SQLite takes the temporary table, and `main.` in front of the name
 * is the kept one.
 */
import { isWaiting } from "../schema/changed.js";
import {
  documentChanges,
  documentID,
  documentIndexes,
  listedMembers,
  memberOf,
  temporary,
} from "../schema/documents.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { addGrams, addTrigrams, byList, selectDocuments } from "../settle/documents.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { difference } from "./checkKept.js";
import { type Check, compare } from "./comparison.js";

/** Compares the documents of large groups with their members. */
const checkDocuments = compare("the documents", [
  {
    problem: "documents are not what members and users say",
    wrong: difference({
      columns: ["list", "key", "member", "text"],
      right: selectDocuments(sql`im_admin_lists.has_documents`, byList),
      kept: sql`SELECT list, key, member, text FROM im_admin_documents`,
      named: sql`coalesce((SELECT owner FROM im_admin_lists WHERE id = list), 'list ' || list) || ' ' || key`,
      isWaiting: sql`
        EXISTS (
          SELECT 1 FROM ${listedMembers} member WHERE member.id = differing.member
            AND (${isWaiting("groupMembers", sql`member`)} OR ${isWaiting("users", sql`member`)}))`,
    }),
  },
]);

const id = documentID(sql`list`, sql`member`);

/** How many times an index must have each text: as documents say, without the changes that it has not got yet. */
const indexedTexts = sql`
  SELECT document, text, sum(change) AS change FROM (
    SELECT ${id} AS document, text, 1 AS change FROM im_admin_documents
    UNION ALL
    SELECT document, text, -change FROM main.im_admin_document_changes
  ) GROUP BY document, text`;

const checkChanges = compare("the changes of documents", [
  {
    problem: "documents have changed otherwise than the full-text indexes are told",
    wrong: sql`SELECT replace(text, x'0a', ' ') FROM (${indexedTexts}) WHERE change NOT IN (0, 1)`,
  },
]);

const rightChanges = documentChanges(temporary);
const [rightTrigrams, rightGrams] = documentIndexes(temporary);

/** Compares an index with one that is built of the documents: the ids that both find for each word, and its tables. */
function checkIndex(index: SchemaObject, add: Sql, isExact: boolean): Check {
  const own = name(index.name);
  const part = (schema: "main" | "temp", suffix: string) => sql`${raw(schema)}.${name(`${index.name}_${suffix}`)}`;
  const found = (schema: "main" | "temp") => sql`
    SELECT rowid FROM ${raw(schema)}.${own} WHERE ${own} MATCH '"' || replace(term, '"', '""') || '"'`;
  const member = sql`
    coalesce((SELECT group_id || ' ' || user_id FROM ${listedMembers} WHERE id = ${memberOf(sql`document`)}), 'nobody')`;
  const words = (from: "main" | "temp", other: "main" | "temp") => sql`
    SELECT quote(term) || ' of ' || ${member} FROM (
      SELECT term, (SELECT min(rowid) FROM (${found(from)} EXCEPT ${found(other)})) AS document FROM ${name(`${from}Words`)}
    ) WHERE document IS NOT NULL`;
  // The id of a record is composed of its segment, a bit for a list of pages, five bits for the height, and its page.
  const segment = raw("id >> 37");
  // The first record counts rows and words. An index with a wrong count refuses to delete a row.
  const counters = (schema: "main" | "temp") => sql`
    SELECT ${isExact ? sql`ltrim(hex(block), '0')` : literal(1)} FROM ${part(schema, "data")} WHERE id = 1`;
  return compare(
    `the full-text index ${index.name}`,
    [
      {
        problem: `the full-text index ${index.name} has other settings`,
        wrong: sql`
          SELECT k || ' = ' || v FROM ${part("main", "config")}
            WHERE k <> 'hashsize' AND (k, v) NOT IN (SELECT k, v FROM ${part("temp", "config")})`,
      },
      {
        problem: `the full-text index ${index.name} has records without ways to them, or ways without records`,
        wrong: sql`
          SELECT 'segment ' || segid || ', page ' || (pgno >> 1) FROM ${part("main", "idx")}
            WHERE (segid, pgno >> 1) NOT IN (SELECT ${segment}, id & 0x7fffffff FROM ${part("main", "data")})
          UNION
          SELECT 'segment ' || (${segment}) FROM ${part("main", "data")}
            WHERE ${segment} > 0 AND ${segment} NOT IN (SELECT segid FROM ${part("main", "idx")})`,
      },
      {
        problem: `the full-text index ${index.name} has wrong counters`,
        wrong: sql`SELECT 'record 1' WHERE (${counters("main")}) IS NOT (${counters("temp")})`,
      },
      {
        problem: `words of documents are not found in the full-text index ${index.name}`,
        wrong: words("temp", "main"),
      },
      ...(isExact
        ? [
            {
              problem: `the full-text index ${index.name} finds words that documents do not have`,
              wrong: words("main", "temp"),
            },
          ]
        : []),
    ],
    {
      make: [
        rightChanges.sql,
        index.sql,
        sql`
          INSERT INTO im_admin_document_changes (document, change, text)
            SELECT document, change, text FROM (${indexedTexts}) WHERE change > 0`,
        add,
        sql`CREATE VIRTUAL TABLE temp.temp_words USING fts5vocab (temp, ${own}, row)`,
        sql`CREATE VIRTUAL TABLE temp.main_words USING fts5vocab (main, ${own}, row)`,
      ],
      drop: [name("mainWords"), name("tempWords"), own, name(rightChanges.name)].map(
        (table) => sql`DROP TABLE temp.${table}`,
      ),
    },
  );
}

export const searchChecks: readonly Check[] = [
  checkDocuments,
  checkChanges,
  // Nothing is ever deleted from this index, so it may find more.
  checkIndex(rightTrigrams, addTrigrams, false),
  checkIndex(rightGrams, addGrams, true),
];
