/**
 * The kept data for searching members: a document for each member of a large group, in the order of the list, and two
 * full-text indexes of the documents. A document has the texts of a member that a search reads. Small groups have no
 * documents: a search reads their rows.
 *
 * One index has the trigrams of each document. It ignores the case of more letters than the search does, and nothing is
 * ever deleted from it. So a search verifies each member that it finds. The other index has the characters beyond ASCII
 * and pairs of them, for short Chinese keywords. It is exact, and has no documents without such characters.
 *
 * Writing an index costs about the same for one document as for a hundred. So changes are collected first: each is a
 * text that a document has lost (-1) or got (+1). A search reads these few changes as well.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { literal, our, ourName, raw, type Sql, sql } from "../sql.js";
import { keyOf } from "./keys.js";
import { listedTable } from "./listed.js";
import { type SchemaObject, trigger } from "./schemaObject.js";

/** Before the name of a table, the schema of temporary tables, where a check makes some tables a second time. */
export const temporary = raw("temp.");

/** The full-text indexes: one of trigrams, and one of the words of {@link gramsOf}. */
export function documentIndexes(schema = raw("")): [trigrams: SchemaObject, grams: SchemaObject] {
  const index = (own: string, column: string, tokenizer: string): SchemaObject => ({
    type: "table",
    name: ourName(own),
    sql: sql`
      CREATE VIRTUAL TABLE ${schema}${our(own)} USING fts5 (
        ${raw(column)}, content = '', detail = none, columnsize = 0, tokenize = ${literal(tokenizer)}
      )`,
  });
  return [index("documentTrigrams", "text", "trigram"), index("documentGrams", "grams", "ascii")];
}

/** The changes that the full-text indexes have not got yet. */
export function documentChanges(schema = raw("")): SchemaObject {
  return {
    type: "table",
    name: ourName("documentChanges"),
    sql: sql`
      CREATE TABLE ${schema}im_admin_document_changes (
        id INTEGER PRIMARY KEY,
        document INTEGER NOT NULL,
        change INTEGER NOT NULL,
        text TEXT NOT NULL
      )`,
  };
}

export function documentTables(): SchemaObject[] {
  return [
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
    documentChanges(),
    ...documentIndexes(),
    noteChange("Inserted", "NEW", 1),
    noteChange("Deleted", "OLD", -1),
  ];
}

/** Notes a document that comes or goes. Only im-admin writes documents, so no host needs this trigger. */
function noteChange(event: "Inserted" | "Deleted", row: "NEW" | "OLD", change: number): SchemaObject {
  const on = our("documents");
  return trigger({ name: `documents${event}`, event: event === "Inserted" ? "AFTER INSERT" : "AFTER DELETE", on }, [
    sql`
      INSERT INTO im_admin_document_changes (document, change, text)
        VALUES (${documentID(raw(`${row}.list`), raw(`${row}.member`))}, ${literal(change)}, ${raw(row)}.text)`,
  ]);
}

/** The answered nickname of a member, if {@link recordOfMember} is joined. */
export const memberNickname = sql`
  (CASE record.nickname
    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
    ELSE record.nickname END)`;

/** The searched text of a member: the userID and the nickname, each on its own line. */
export const memberText = sql`member.user_id || x'0a' || ${memberNickname}`;

/** Joins the record to a listed `member`. */
export const recordOfMember = sql`
  CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id`;

/** The listed members. */
export const listedMembers = listedTable(groupMembers);

export const memberKey = keyOf(groupMembers, "member");

/** How many ids each list has in the indexes. The ids of one list are next to each other. */
const idsOfList = 2 ** 32;

/** The id of a document in the indexes, composed of the numbers of the list and the member. */
export function documentID(list: Sql, member: Sql): Sql {
  return sql`${list} * ${raw(String(idsOfList))} + ${member}`;
}

/** The condition that an id of the indexes belongs to a list. */
export function isDocumentOf(id: Sql, list: Sql): Sql {
  return sql`${id} BETWEEN ${documentID(list, raw("1"))} AND ${documentID(list, raw(String(idsOfList - 1)))}`;
}

/** The id of the member whose document it is. */
export function memberOf(id: Sql): Sql {
  return sql`${id} & ${raw(String(idsOfList - 1))}`;
}

/**
 * A long text is split into chunks of so many characters first, since finding single characters in a long text is slow.
 */
const chunkLength = 64;

/** Characters with which texts often begin and end. They are trimmed first, which is fast. */
const oftenAscii = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- ";

/** The characters of a text beyond ASCII, and pairs of them, as words; "" if there are none. */
export function gramsOf(text: Sql): Sql {
  const isBeyond = (character: Sql) => sql`unicode(${character}) > 127`;
  return sql`
    coalesce((
      WITH RECURSIVE chunks (chunk, rest) AS (
        SELECT '', trim(${text}, ${literal(oftenAscii)})
        UNION ALL
        SELECT substr(rest, 1, ${literal(chunkLength + 1)}), substr(rest, ${literal(chunkLength + 1)})
          FROM chunks WHERE rest <> ''
      ), pairs (pair, rest) AS (
        SELECT substr(chunk, 1, 2), substr(chunk, 2) FROM chunks
        UNION ALL
        SELECT substr(rest, 1, 2), substr(rest, 2) FROM pairs WHERE rest <> ''
      )
      SELECT group_concat(CASE WHEN ${isBeyond(sql`substr(pair, 2)`)}
          THEN substr(pair, 1, 1) || ' ' || pair ELSE substr(pair, 1, 1) END, ' ')
        FROM pairs WHERE ${isBeyond(sql`pair`)}
    ), '')`;
}

/** Whether a document has characters beyond ASCII. */
export const isBeyondAscii = sql`length(text) <> length(CAST(text AS BLOB))`;
