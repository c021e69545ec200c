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
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import { orderIndex } from "../nodes/listNames.js";
import { procedure, type SchemaObject } from "../schema/schemaObject.js";
import { literal, name, ourName, type Sql, sql } from "../sql.js";
import { listedMembers, memberKey, memberNickname, recordOfMember } from "./documents.js";

/** The searched text of a member: the userID and the nickname, each on its own line. */
const memberText = sql`member.user_id || x'0a' || ${memberNickname}`;

/** Reads members group by group, in the order of their list. */
export const byList = sql`im_admin_lists CROSS JOIN ${listedMembers} member INDEXED BY ${name(orderIndex(groupMembers))}`;
/** Reads all members in the order of the table, which is faster for many. */
export const byMember = sql`${listedMembers} member NOT INDEXED CROSS JOIN im_admin_lists`;
/** Reads the memberships of a user. */
export const byUser = sql`${listedMembers} member INDEXED BY ${name(orderIndex(joinedGroups))} CROSS JOIN im_admin_lists`;

/** Selects the right documents of groups. `condition` is on `im_admin_lists` and the listed `member`. */
export function selectDocuments(condition: Sql, from = byList): Sql {
  return sql`
    SELECT im_admin_lists.id, ${memberKey}, member.id, ${memberText}
      FROM ${from} ON member.group_id = im_admin_lists.owner
        ${recordOfMember}
      WHERE im_admin_lists.name = 'groupMembers' AND ${condition}`;
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

/** The full-text index of trigrams. */
export const trigramIndex: SchemaObject = {
  type: "table",
  name: ourName("documentTrigrams"),
  sql: sql`
    CREATE VIRTUAL TABLE im_admin_document_trigrams USING fts5 (
      text, content = '', detail = none, columnsize = 0, tokenize = 'trigram'
    )`,
};

/** The full-text index of the words of {@link gramsOf}. */
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
      ) STRICT, WITHOUT ROWID`,
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
      ) STRICT`,
  },
  trigramIndex,
  gramIndex,
  procedure("applyChanges", { isOver: "INTEGER" }),
];
