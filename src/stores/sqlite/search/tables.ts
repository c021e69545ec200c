/**
 * What the search for members by keyword needs: a document for each member of a large group, in the order of the list,
 * and two full-text indexes of the documents. Groups that are not large have none: their rows are looked at.
 *
 * One index has the trigrams of a document, and folds the case of more letters than the search does. Nothing is ever
 * deleted from it, so what it finds is verified by the row. The other has the characters beyond ASCII and the pairs of
 * them, which are what Chinese is searched by; it is exact, and documents without such characters are not in it.
 *
 * To write an index costs about the same for one document as for a hundred. So what changes is collected first: each
 * change is a text that a document has no more (-1) or has now (+1). A search looks at these few as well.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import { orderIndex } from "../nodes/names.js";
import { procedure, type SchemaObject } from "../schema/schemaObject.js";
import { literal, name, ourName, type Sql, sql } from "../sql.js";
import { listedMembers, memberKey, memberNickname, recordOfMember } from "./documents.js";

/** What there is to search of a member: the userID and the nickname, in a line each. */
const memberText = sql`member.user_id || x'0a' || ${memberNickname}`;

/** Reads members group by group, in the order of their list. */
export const byList = sql`im_admin_lists CROSS JOIN ${listedMembers} member INDEXED BY ${name(orderIndex(groupMembers))}`;
/** Reads all members as they are stored, which is faster where they are many. */
export const byMember = sql`${listedMembers} member NOT INDEXED CROSS JOIN im_admin_lists`;
/** Reads the memberships of a user. */
export const byUser = sql`${listedMembers} member INDEXED BY ${name(orderIndex(joinedGroups))} CROSS JOIN im_admin_lists`;

/** What the documents of groups have to be; `condition` is on `lists` and the listed `member`. */
export function selectDocuments(condition: Sql, from = byList): Sql {
  return sql`
    SELECT im_admin_lists.id, ${memberKey}, member.id, ${memberText}
      FROM ${from} ON member.group_id = im_admin_lists.owner
        ${recordOfMember}
      WHERE im_admin_lists.name = 'groupMembers' AND ${condition}`;
}

/** How many characters of a text are taken apart together: each of a long text would be slow to find. */
const chunkLength = 64;

/** What texts often begin and end with, and is quickly cut off before they are taken apart. */
const oftenAscii = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- ";

/** The characters of a text that are beyond ASCII, and the pairs of them, as words; "" where there are none. */
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

/** The full-text index of what {@link gramsOf} finds. */
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
