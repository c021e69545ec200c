/**
 * What the search for a keyword needs: a document for each entry of a large list, and two full-text indexes of all
 * documents. Lists that are not large have none: their rows are looked at one by one.
 *
 * One index finds keywords of three characters and more by their trigrams. The other finds shorter ones, as are common
 * in Chinese, by grams of one and two characters; a gram is a word for each list, so that it costs nothing what other
 * lists hold. Both fold ASCII letters alone. Both would stop at a NUL, and take long for a long text: such documents are
 * in neither, and are looked at.
 */
import { type Sizes, trigger } from "./countedLists.js";
import { definitionOf, type ListName } from "./definitions.js";
import { type Part, sql } from "./part.js";
import { quoted } from "./text.js";

/** The nickname that a member is answered with, where the member's row and the profile's are joined. */
export const memberNickname = "iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname)";

const membersKey = definitionOf("groupMembers").key;

/** The lists with keyword search. */
export const searchedLists: readonly ListName[] = ["groupMembers", "notificationAccounts"];

/** That a document is in no index for the search, because it has a NUL or is longer than 1,000 bytes. */
export const isUnindexed = unindexed("");

function unindexed(row: string): string {
  const texts = `${row}userID || ${row}nickname`;
  return `iif(instr(${texts}, char(0)) > 0, 1, length(CAST(${texts} AS BLOB)) > 1000)`;
}

export const documentTables = [
  `CREATE TABLE listDocuments (
    id INTEGER PRIMARY KEY,
    list INTEGER NOT NULL,
    key TEXT NOT NULL,
    userID TEXT NOT NULL,
    nickname TEXT NOT NULL,
    UNIQUE (list, key)
  ) STRICT`,
  `CREATE INDEX listDocumentsUnindexed ON listDocuments (list) WHERE ${isUnindexed}`,
  // What the documents have to be.
  `CREATE VIEW listTexts (list, key, userID, nickname) AS
    SELECT entry.list, entry.key, lower(member.userID), lower(${memberNickname})
      FROM listEntries entry CROSS JOIN groupMembers member ON member.id = entry.item
        LEFT JOIN users profile ON profile.userID = member.userID
      WHERE (SELECT name FROM lists WHERE id = entry.list) = 'groupMembers'
    UNION ALL
    SELECT entry.list, entry.key, lower(account.userID), lower(account.nickname)
      FROM listEntries entry CROSS JOIN users account ON account.userID = entry.item
      WHERE (SELECT name FROM lists WHERE id = entry.list) = 'notificationAccounts'`,
  // What the indexes have of the documents.
  `CREATE VIEW listIndexed (id, userID, nickname, grams) AS
    SELECT id, ${Object.values(indexed("listDocuments")).join(", ")} FROM listDocuments`,
  `CREATE VIRTUAL TABLE listTrigrams USING fts5 (
    userID, nickname, content = 'listIndexed', content_rowid = 'id', tokenize = 'trigram case_sensitive 1'
  )`,
  `CREATE VIRTUAL TABLE listGrams USING fts5 (
    grams, content = 'listIndexed', content_rowid = 'id', tokenize = 'ascii', detail = none
  )`,
];

/** What the indexes have of a document. */
function indexed(row: string) {
  const orNothing = (text: string) => `iif(${unindexed(`${row}.`)}, '', ${text})`;
  return {
    userID: orNothing(`${row}.userID`),
    nickname: orNothing(`${row}.nickname`),
    grams: orNothing(gramsOf(row)),
  };
}

/** All grams of a document's texts, as words. */
function gramsOf(row: string): string {
  const word = (text: string, length: number) =>
    gram(sql`substr(${text}, position, ${String(length)})`, sql`${row}.list`).sql;
  const grams = (text: string) => `SELECT ${word(text, 1)} || ' ' || ${word(text, 2)} AS pair
        FROM (WITH RECURSIVE positions (position) AS (
          SELECT 1 UNION ALL SELECT position + 1 FROM positions WHERE position < length(${text})
        ) SELECT position FROM positions)`;
  return `(SELECT group_concat(pair, ' ') FROM (${grams(`${row}.userID`)} UNION ALL ${grams(`${row}.nickname`)}))`;
}

/** The word for a gram of a list. */
export function gram(text: Part, list: Part): Part {
  return sql`hex(${text}) || 'l' || ${list}`;
}

/** The ids of a list's documents are next to each other, so that an index is asked for those of one list. */
const idsOfList = 2 ** 32;

export function isDocumentOf(id: string, list: string): string {
  return `${id} BETWEEN ${list} * ${idsOfList} AND ${list} * ${idsOfList} + ${idsOfList - 1}`;
}

/** Gives entries documents: those of a list without any, or a single one. */
export function insertDocuments(rows: string): string {
  return `INSERT INTO listDocuments (id, list, key, userID, nickname)
      SELECT row_number() OVER (PARTITION BY list ORDER BY key) + coalesce(
        (SELECT max(id) FROM listDocuments document WHERE ${isDocumentOf("document.id", "text.list")}),
        list * ${idsOfList}
      ), list, key, userID, nickname FROM listTexts text WHERE ${rows} ON CONFLICT DO NOTHING`;
}

/** The triggers that keep documents and indexes. */
export function documentTriggers({ searched }: Sizes): string[] {
  const names = quoted(searchedLists);
  const add = (row: string) => {
    const { userID, nickname, grams } = indexed(row);
    return [
      `INSERT INTO listTrigrams (rowid, userID, nickname) VALUES (${row}.id, ${userID}, ${nickname})`,
      `INSERT INTO listGrams (rowid, grams) VALUES (${row}.id, ${grams})`,
    ];
  };
  // The indexes keep no texts, so the old ones are handed over.
  const remove = (row: string) => {
    const { userID, nickname, grams } = indexed(row);
    return [
      `INSERT INTO listTrigrams (listTrigrams, rowid, userID, nickname)
      VALUES ('delete', ${row}.id, ${userID}, ${nickname})`,
      `INSERT INTO listGrams (listGrams, rowid, grams) VALUES ('delete', ${row}.id, ${grams})`,
    ];
  };
  return [
    trigger(
      `listsSearched AFTER UPDATE OF total ON lists
    WHEN NEW.name IN (${names}) AND iif(NEW.searched, NEW.total < ${Math.floor(searched / 2)}, NEW.total > ${searched})`,
      [
        "UPDATE lists SET searched = NOT NEW.searched WHERE id = NEW.id",
        insertDocuments("NOT NEW.searched AND list = NEW.id"),
        "DELETE FROM listDocuments WHERE NEW.searched AND list = NEW.id",
      ],
    ),
    trigger(
      `listEntriesDocument AFTER INSERT ON listEntries
    WHEN (SELECT searched FROM lists WHERE id = NEW.list)`,
      [insertDocuments("list = NEW.list AND key = NEW.key")],
    ),
    trigger("listEntriesDocumentDelete AFTER DELETE ON listEntries", [
      "DELETE FROM listDocuments WHERE list = OLD.list AND key = OLD.key",
    ]),
    trigger("listDocumentsInsert AFTER INSERT ON listDocuments", add("NEW")),
    trigger("listDocumentsDelete AFTER DELETE ON listDocuments", remove("OLD")),
    trigger(
      `listDocumentsUpdate AFTER UPDATE OF nickname ON listDocuments
    WHEN OLD.nickname IS NOT NEW.nickname`,
      [...remove("OLD"), ...add("NEW")],
    ),
    trigger(
      `groupMembersNickname AFTER UPDATE OF nickname ON groupMembers
    WHEN OLD.nickname IS NOT NEW.nickname`,
      [renewDocuments("SELECT NEW.id")],
    ),
    // A profile's nickname counts where the member has none of its own.
    trigger("usersNicknameInsert AFTER INSERT ON users", [renewDocuments(membershipsOf("NEW.userID"))]),
    trigger("usersNicknameDelete AFTER DELETE ON users", [renewDocuments(membershipsOf("OLD.userID"))]),
    trigger(
      `usersNicknameUpdate AFTER UPDATE OF userID, nickname ON users
    WHEN OLD.userID IS NOT NEW.userID OR OLD.nickname IS NOT NEW.nickname`,
      [
        renewDocuments(membershipsOf("OLD.userID")),
        renewDocuments(membershipsOf("NEW.userID")),
        `UPDATE listDocuments SET nickname = lower(NEW.nickname)
      WHERE list = (SELECT id FROM lists WHERE name = 'notificationAccounts') AND key = NEW.userID`,
      ],
    ),
  ];
}

/** Writes the nicknames of members again, where their groups have documents. */
function renewDocuments(memberIDs: string): string {
  return `UPDATE listDocuments SET nickname = coalesce((SELECT nickname FROM listTexts text
        WHERE text.list = listDocuments.list AND text.key = listDocuments.key), nickname)
      WHERE (list, key) IN (SELECT list.id, ${membersKey} FROM groupMembers member
        CROSS JOIN lists list ON list.name = 'groupMembers' AND list.owner = member.groupID AND list.searched
        WHERE member.id IN (${memberIDs}))`;
}

function membershipsOf(userID: string): string {
  return `SELECT item FROM listEntries
          WHERE list = (SELECT id FROM lists WHERE name = 'joinedGroups' AND owner = ${userID})`;
}
