/**
 * The kept data for searching members: a document for each member of a large group, in the order of the list, and two
 * full-text indexes of the documents. Small groups have no documents: a search reads their rows.
 *
 * One index has the trigrams of each document. It ignores the case of more letters than the search does, and nothing is
 * ever deleted from it. So a search verifies each member that it finds. The other index has the characters beyond ASCII
 * and pairs of them, for short Chinese keywords. It is exact, and has no documents without such characters.
 *
 * Writing an index costs about the same for one document as for a hundred. So changes are collected first: each is a
 * text that a document has lost (-1) or got (+1). A search reads these few changes as well.
 */
import { literal, our, ourName, raw, sql } from "../sql.js";
import { documentID } from "./documents.js";
import { type SchemaObject, trigger } from "./schemaObject.js";

/** The full-text index of trigrams. */
export const trigramIndex: SchemaObject = {
  type: "table",
  name: ourName("documentTrigrams"),
  sql: sql`
    CREATE VIRTUAL TABLE im_admin_document_trigrams USING fts5 (
      text, content = '', detail = none, columnsize = 0, tokenize = 'trigram'
    )`,
};

/** The full-text index of the words of `gramsOf`. */
export const gramIndex: SchemaObject = {
  type: "table",
  name: ourName("documentGrams"),
  sql: sql`
    CREATE VIRTUAL TABLE im_admin_document_grams USING fts5 (
      grams, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
    )`,
};

export const searchTables: readonly SchemaObject[] = [
  {
    type: "table",
    name: ourName("documents"),
    sql: sql`
      CREATE TABLE im_admin_documents (
        list INTEGER NOT NULL,
        key TEXT NOT NULL,
        member INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (list, key)
      ) WITHOUT ROWID`,
  },
  {
    type: "table",
    name: ourName("documentChanges"),
    sql: sql`
      CREATE TABLE im_admin_document_changes (
        id INTEGER PRIMARY KEY,
        document INTEGER NOT NULL,
        change INTEGER NOT NULL,
        text TEXT NOT NULL
      )`,
  },
  trigramIndex,
  gramIndex,
  noteChange("Inserted", "NEW", 1),
  noteChange("Deleted", "OLD", -1),
];

/** Notes a document that comes or goes. Only im-admin writes documents, so no host needs this trigger. */
function noteChange(event: "Inserted" | "Deleted", row: "NEW" | "OLD", change: number): SchemaObject {
  const on = our("documents");
  return trigger({ name: `documents${event}`, event: event === "Inserted" ? "AFTER INSERT" : "AFTER DELETE", on }, [
    sql`
      INSERT INTO im_admin_document_changes (document, change, text)
        VALUES (${documentID(raw(`${row}.list`), raw(`${row}.member`))}, ${literal(change)}, ${raw(row)}.text)`,
  ]);
}
