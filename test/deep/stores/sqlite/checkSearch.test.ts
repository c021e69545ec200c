import { it } from "vitest";
import { corrupt, expectRepaired, fileWith, force } from "../../../helpers/corruptedFile.js";

const copy = fileWith(2100);

const key = "198020000000000000007u0007";
const list = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";
const id = "(SELECT list * 4294967296 + member FROM im_admin_documents WHERE text LIKE 'u0007%')";
const lastTrigrams = "WHERE id = (SELECT max(id) FROM im_admin_document_trigrams_data)";

/** Writes past the triggers, and one sentence of check about each. */
const documents: Record<string, [sql: string, sentence: string]> = {
  "of another member": [
    "UPDATE im_admin_documents SET member = member + 1 WHERE text LIKE 'u0007%'",
    `members have no document, or another one (1, such as g1 ${key})`,
  ],
  "with another userID": [
    "UPDATE im_admin_documents SET text = 'x' || text WHERE text LIKE 'u0007%'",
    `members have no document, or another one (1, such as g1 ${key})`,
  ],
  "in another place": [
    "UPDATE im_admin_documents SET key = key || 'x' WHERE text LIKE 'u0007%'",
    `documents have no member, or another one (1, such as g1 ${key}x)`,
  ],
  "of no list": [
    "INSERT INTO im_admin_documents VALUES (99, 'k', 7, 'Bob')",
    "documents have no member, or another one (1, such as list 99 k)",
  ],
  "whose user has another nickname": [
    "UPDATE im_admin_users SET nickname = 'Bob' WHERE user_id = 'u0007'",
    `members have no document, or another one (1, such as g1 ${key})`,
  ],
  "that the indexes are told of and that is not there": [
    `INSERT INTO im_admin_document_changes (document, change, text) VALUES (${list} * 4294967296 + 9999, 1, 'x' || char(10) || '王')`,
    "documents have changed otherwise than the full-text indexes are told (1, such as x 王)",
  ],
};

it.each(Object.entries(documents))("check finds a document %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  corrupt(path, sql);
  await expectRepaired(path, sentence);
});

/** Writes to the tables of an index, which SQLite forbids, and one sentence of check about each. */
const indexes: Record<string, [sql: string, sentence: string]> = {
  "without any words": [
    "INSERT INTO im_admin_document_trigrams (im_admin_document_trigrams) VALUES ('delete-all')",
    "words of documents are not found in the full-text index im_admin_document_trigrams (1,141, such as '\ufffdan')",
  ],
  "without the grams of a document": [
    `INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams) VALUES ('delete', ${id}, '王 王芳')`,
    "words of documents are not found in the full-text index im_admin_document_grams (2, such as '王')",
  ],
  "without the last way": [
    "DELETE FROM im_admin_document_trigrams_idx WHERE term = (SELECT max(term) FROM im_admin_document_trigrams_idx)",
    "words of documents are not found in the full-text index im_admin_document_trigrams (23, such as 'u00')",
  ],
  "without the first way": [
    "DELETE FROM im_admin_document_trigrams_idx WHERE term = (SELECT min(term) FROM im_admin_document_trigrams_idx)",
    `the full-text index im_admin_document_trigrams is damaged (1, such as fts5: corruption found reading blob 137438953473 from table "im_admin_document_trigrams")`,
  ],
  "with ways elsewhere": [
    "UPDATE im_admin_document_trigrams_idx SET pgno = pgno + 4",
    "ways of the full-text index im_admin_document_trigrams lead to no record (2, such as segment 1, page 10)",
  ],
  "without a record": [
    `DELETE FROM im_admin_document_trigrams_data ${lastTrigrams}`,
    "the full-text index im_admin_document_trigrams cannot be read: database disk image is malformed",
  ],
  "with counters of an empty one": [
    "UPDATE im_admin_document_grams_data SET block = x'' WHERE id = 1",
    "the full-text index im_admin_document_grams has wrong counters (1, such as record 1)",
  ],
  "with an emptied record": [
    `UPDATE im_admin_document_trigrams_data SET block = zeroblob(length(block)) ${lastTrigrams}`,
    "the full-text index im_admin_document_trigrams cannot be read: database disk image is malformed",
  ],
  "with a record that was cut": [
    `UPDATE im_admin_document_trigrams_data SET block = substr(block, 1, 100) ${lastTrigrams}`,
    "the full-text index im_admin_document_trigrams cannot be read: database disk image is malformed",
  ],
  "with other bytes": [
    `UPDATE im_admin_document_grams_data SET block = CAST(substr(block, 1, 40) || x'ffff' || substr(block, 43) AS BLOB)
      WHERE id = (SELECT max(id) FROM im_admin_document_grams_data)`,
    "the full-text index im_admin_document_grams finds words that documents do not have (1, such as '王')",
  ],
  "of another version": [
    "UPDATE im_admin_document_trigrams_config SET v = 99",
    "the full-text index im_admin_document_trigrams cannot be read: invalid fts5 file format (found 99, expected 4 or 5) - run 'rebuild'",
  ],
  "without settings": [
    "DELETE FROM im_admin_document_grams_config",
    "the full-text index im_admin_document_grams cannot be read: invalid fts5 file format (found 0, expected 4 or 5) - run 'rebuild'",
  ],
  "without the table of its records": [
    "DROP TABLE im_admin_document_trigrams_data",
    `the full-text index im_admin_document_trigrams cannot be read: fts5: corruption found reading blob 10 from table "im_admin_document_trigrams"`,
  ],
  "without the table of its ways": [
    "DROP TABLE im_admin_document_grams_idx",
    "the table im_admin_document_grams_idx is missing",
  ],
  "without the table of its settings": [
    "DROP TABLE im_admin_document_trigrams_config",
    "the full-text index im_admin_document_trigrams cannot be read: vtable constructor failed: im_admin_document_trigrams",
  ],
  "with a view in place of one of its tables": [
    "DROP TABLE im_admin_document_trigrams_idx; CREATE VIEW im_admin_document_trigrams_idx AS SELECT 1 AS segid, 2 AS term, 3 AS pgno",
    "the table im_admin_document_trigrams_idx is missing: the view of that name is none of ours",
  ],
  "with a tokenizer that there is not": [
    "UPDATE sqlite_schema SET sql = replace(sql, '''trigram''', '''none''') WHERE name = 'im_admin_document_trigrams'",
    "the full-text index im_admin_document_trigrams cannot be read: no such tokenizer: none",
  ],
  "of a module that there is not": [
    "UPDATE sqlite_schema SET sql = replace(sql, 'fts5', 'fts9') WHERE name = 'im_admin_document_grams'",
    "the full-text index im_admin_document_grams cannot be read: no such module: fts9",
  ],
  "that is an ordinary table": [
    "DROP TABLE im_admin_document_grams; CREATE TABLE im_admin_document_grams (grams, im_admin_document_grams)",
    "the full-text index im_admin_document_grams cannot be read: no such fts5 table: main.im_admin_document_grams",
  ],
  "of which only the tables are left": [
    "DELETE FROM sqlite_schema WHERE name = 'im_admin_document_trigrams'",
    "the table im_admin_document_trigrams is missing",
  ],
};

it.each(Object.entries(indexes))("check finds an index %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  force(path, sql);
  await expectRepaired(path, sentence);
});
