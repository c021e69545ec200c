/**
 * The triggers that keep documents and indexes right. Whatever changes of a member, its document is made to be what the
 * rows say by then: so it does not matter in which order the triggers of a host and these run.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { keyOf } from "../nodes/keys.js";
import { isUnderWay } from "../nodes/listTriggers.js";
import type { Sizes } from "../nodes/tables.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { documentID, memberKey } from "./documents.js";
import { gramsOf, isBeyondAscii, selectDocuments } from "./tables.js";

/** Makes the document right that a member has, or had before it changed. */
export function renewDocument(row: "NEW" | "OLD"): Sql {
  return sql`
    INSERT INTO renewDocument (groupID, key) VALUES (${name(row)}.groupID, ${keyOf(groupMembers, row)})`;
}

/** Makes the documents right of a user's memberships in large groups. */
function renewDocumentsOf(userID: Sql): Sql {
  return sql`
    INSERT INTO renewDocument (groupID, key)
      SELECT member.groupID, ${memberKey} FROM groupMembers member
        CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = member.groupID AND lists.hasDocuments
        WHERE member.userID = ${userID}`;
}

/** Writes documents; of those that are there already, only what has changed. */
export function upsertDocuments(condition: Sql): Sql {
  return sql`
    INSERT INTO documents (list, key, member, text)
      ${selectDocuments(condition)}
      ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
        WHERE member <> excluded.member OR text <> excluded.text`;
}

/** Writes the indexes once enough has been collected; called when a write is over. */
export const tellIndexes = sql`INSERT INTO applyChanges (isOver) VALUES (1)`;

/** Notes that a document has a text now, or has it no more. */
function change(row: "NEW" | "OLD"): Sql {
  const id = documentID(sql`${name(row)}.list`, sql`${name(row)}.member`);
  return sql`
    INSERT INTO documentChanges (document, change, text)
      VALUES (${id}, ${raw(row === "NEW" ? "1" : "-1")}, ${name(row)}.text)`;
}

/**
 * Writes the collected changes to the indexes. It deletes before it inserts, since a text that is gone and one that has
 * come may share words; a text that came and went again is skipped.
 */
export const applyChanges: readonly Sql[] = [
  sql`
    INSERT INTO documentTrigrams (rowid, text)
      SELECT document, text FROM documentChanges WHERE change > 0 ORDER BY document`,
  sql`
    INSERT INTO documentGrams (documentGrams, rowid, grams)
      SELECT CASE WHEN change < 0 THEN 'delete' END, document, ${gramsOf(sql`text`)} FROM (
        SELECT document, text, sum(change) AS change FROM documentChanges
          WHERE ${isBeyondAscii} GROUP BY document, text HAVING sum(change) <> 0
          ORDER BY document, sum(change)
      )`,
  sql`DELETE FROM documentChanges`,
];

/** The triggers on members and users that keep the documents. */
export function memberTriggers({ searched, collected }: Sizes): SchemaObject[] {
  return [
    // A member that changes has two documents for a moment: both have to be noted when the indexes are written.
    trigger(
      {
        name: "applyChangesInsert",
        event: "INSTEAD OF INSERT",
        on: "applyChanges",
        when: sql`
          EXISTS (SELECT 1 FROM documentChanges WHERE id >= ${literal(collected)})
            AND NOT ${isUnderWay(groupMembers)}`,
      },
      applyChanges,
    ),
    trigger(
      {
        name: "listsDocuments",
        event: "AFTER UPDATE",
        of: ["total"],
        on: "lists",
        when: sql`
          NEW.name = 'groupMembers' AND CASE WHEN NEW.hasDocuments
            THEN NEW.total < ${literal(Math.floor(searched / 2))} ELSE NEW.total > ${literal(searched)} END`,
      },
      [
        sql`UPDATE lists SET hasDocuments = NOT NEW.hasDocuments WHERE id = NEW.id`,
        upsertDocuments(sql`lists.id = NEW.id AND NOT NEW.hasDocuments`),
        sql`DELETE FROM documents WHERE list = NEW.id AND NEW.hasDocuments`,
      ],
    ),
    trigger(
      {
        name: "renewDocumentInsert",
        event: "INSTEAD OF INSERT",
        on: "renewDocument",
        when: sql`(SELECT hasDocuments FROM lists WHERE name = 'groupMembers' AND owner = NEW.groupID)`,
      },
      [
        sql`
          DELETE FROM documents
            WHERE list = (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = NEW.groupID) AND key = NEW.key
              AND NOT EXISTS (
                SELECT 1 FROM groupMembers member INDEXED BY groupMembersInOrder
                  WHERE member.groupID = NEW.groupID AND ${memberKey} = NEW.key)`,
        upsertDocuments(sql`lists.owner = NEW.groupID AND ${memberKey} = NEW.key`),
      ],
    ),
    trigger(
      {
        name: "groupMembersNickname",
        event: "AFTER UPDATE",
        of: ["nickname"],
        on: "groupMembers",
        when: sql`OLD.nickname IS NOT NEW.nickname`,
      },
      [renewDocument("NEW"), tellIndexes],
    ),
    // A profile's nickname counts where the member has none of its own.
    trigger({ name: "usersNicknameInsert", event: "AFTER INSERT", on: "users" }, [
      renewDocumentsOf(sql`NEW.userID`),
      tellIndexes,
    ]),
    trigger({ name: "usersNicknameDelete", event: "AFTER DELETE", on: "users" }, [
      renewDocumentsOf(sql`OLD.userID`),
      tellIndexes,
    ]),
    trigger(
      {
        name: "usersNicknameUpdate",
        event: "AFTER UPDATE",
        of: ["userID", "nickname"],
        on: "users",
        when: sql`OLD.userID IS NOT NEW.userID OR OLD.nickname IS NOT NEW.nickname`,
      },
      [renewDocumentsOf(sql`OLD.userID`), renewDocumentsOf(sql`NEW.userID`), tellIndexes],
    ),
  ];
}

/** The triggers on documents that keep the indexes. */
export const documentTriggers: readonly SchemaObject[] = [
  trigger({ name: "documentsInsert", event: "AFTER INSERT", on: "documents" }, [change("NEW")]),
  trigger({ name: "documentsUpdate", event: "AFTER UPDATE", of: ["member", "text"], on: "documents" }, [
    change("OLD"),
    change("NEW"),
  ]),
  trigger({ name: "documentsDelete", event: "AFTER DELETE", on: "documents" }, [change("OLD")]),
];
