import { it } from "vitest";
import { corrupt, expectRepaired, fileWith, force } from "../../helpers/corruptedFile.js";

const copy = fileWith(2100);

const key = "198020000000000000007u0007";
const list = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";
const id = "(SELECT list * 4294967296 + member FROM im_admin_documents WHERE text LIKE 'u0007%')";

/**
 * Writes past the triggers, one of each kind, and one sentence of check about each. The others are in test/deep.
 */
const documents: Record<string, [sql: string, sentence: string]> = {
  "with another nickname": [
    "UPDATE im_admin_documents SET text = text || 'Bob' WHERE text LIKE 'u0007%'",
    `documents have no member, or another one (1, such as g1 ${key})`,
  ],
  "that has gone": [
    "DELETE FROM im_admin_documents WHERE text LIKE 'u0007%'",
    `members have no document, or another one (1, such as g1 ${key})`,
  ],
};

it.each(Object.entries(documents))("check finds a document %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  corrupt(path, sql);
  await expectRepaired(path, sentence);
});

/** Writes to the tables of an index, which SQLite forbids, and one sentence of check about each. */
const indexes: Record<string, [sql: string, sentence: string]> = {
  "without the words of a document": [
    `INSERT INTO im_admin_document_trigrams (im_admin_document_trigrams, rowid, text) VALUES ('delete', ${id}, 'u0007')`,
    "words of documents are not found in the full-text index im_admin_document_trigrams (3, such as '000')",
  ],
  "with the grams of a document that has gone": [
    `INSERT INTO im_admin_document_grams (rowid, grams) VALUES (${list} * 4294967296 + 9999, '王 王芳')`,
    "the full-text index im_admin_document_grams finds words that documents do not have (2, such as '王')",
  ],
  "without any way": [
    "DELETE FROM im_admin_document_grams_idx",
    "records of the full-text index im_admin_document_grams have no way to them (1, such as segment 1)",
  ],
  "without the record of its structure": [
    "DELETE FROM im_admin_document_grams_data WHERE id = 10",
    `the full-text index im_admin_document_grams cannot be read: fts5: corruption found reading blob 10 from table "im_admin_document_grams"`,
  ],
  "without its counters": [
    "DELETE FROM im_admin_document_trigrams_data WHERE id = 1",
    "the full-text index im_admin_document_trigrams has lost its counters (1, such as record 1)",
  ],
  "with another setting": [
    "INSERT INTO im_admin_document_grams_config VALUES ('pgsz', 70)",
    "the full-text index im_admin_document_grams has other settings (1, such as pgsz = 70)",
  ],
  "with another tokenizer": [
    `DROP TABLE im_admin_document_grams;
      CREATE VIRTUAL TABLE im_admin_document_grams USING fts5 (grams, content = '', tokenize = 'unicode61')`,
    "the table im_admin_document_grams is another one than im-admin makes",
  ],
  "that has gone": ["DROP TABLE im_admin_document_grams", "the table im_admin_document_grams is missing"],
};

it.each(Object.entries(indexes))("check finds an index %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  force(path, sql);
  await expectRepaired(path, sentence);
});
