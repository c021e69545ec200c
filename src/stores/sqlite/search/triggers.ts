/**
 * The triggers that keep documents and indexes right. Whatever changes of a member, its document is made to be what the
 * rows say by then: so it does not matter in which order the triggers of a host and these run.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { keyOf } from "../nodes/keys.js";
import { isUnderWay } from "../nodes/listTriggers.js";
import type { Sizes } from "../nodes/tables.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { documentID, memberKey } from "./documents.js";
import { gramsOf, isBeyondAscii, selectDocuments } from "./tables.js";

/** Makes the document right that a member has, or had before it changed. */
export function renewDocument(row: "NEW" | "OLD"): Sql {
  return sql`
    INSERT INTO im_admin_renew_document (group_id, key) VALUES (${raw(row)}.group_id, ${keyOf(groupMembers, row)})`;
}

/** Makes the documents right of a user's memberships in large groups. */
function renewDocumentsOf(userID: Sql): Sql {
  return sql`
    INSERT INTO im_admin_renew_document (group_id, key)
      SELECT member.group_id, ${memberKey} FROM im_admin_group_members member
        CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = member.group_id AND im_admin_lists.has_documents
        WHERE member.user_id = ${userID}`;
}

/** Writes documents; of those that are there already, only what has changed. */
export function upsertDocuments(condition: Sql): Sql {
  return sql`
    INSERT INTO im_admin_documents (list, key, member, text)
      ${selectDocuments(condition)}
      ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
        WHERE member <> excluded.member OR text <> excluded.text`;
}

/** Writes the indexes once enough has been collected; called when a write is over. */
export const tellIndexes = sql`INSERT INTO im_admin_apply_changes (is_over) VALUES (1)`;

/** Notes that a document has a text now, or has it no more. */
function change(row: "NEW" | "OLD"): Sql {
  const id = documentID(sql`${raw(row)}.list`, sql`${raw(row)}.member`);
  return sql`
    INSERT INTO im_admin_document_changes (document, change, text)
      VALUES (${id}, ${raw(row === "NEW" ? "1" : "-1")}, ${raw(row)}.text)`;
}

/**
 * Writes the collected changes to the indexes. It deletes before it inserts, since a text that is gone and one that has
 * come may share words; a text that came and went again is skipped.
 */
export const applyChanges: readonly Sql[] = [
  sql`
    INSERT INTO im_admin_document_trigrams (rowid, text)
      SELECT document, text FROM im_admin_document_changes WHERE change > 0 ORDER BY document`,
  sql`
    INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams)
      SELECT CASE WHEN change < 0 THEN 'delete' END, document, ${gramsOf(sql`text`)} FROM (
        SELECT document, text, sum(change) AS change FROM im_admin_document_changes
          WHERE ${isBeyondAscii} GROUP BY document, text HAVING sum(change) <> 0
          ORDER BY document, sum(change)
      )`,
  sql`DELETE FROM im_admin_document_changes`,
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
          EXISTS (SELECT 1 FROM im_admin_document_changes WHERE id >= ${literal(collected)})
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
          NEW.name = 'groupMembers' AND CASE WHEN NEW.has_documents
            THEN NEW.total < ${literal(Math.floor(searched / 2))} ELSE NEW.total > ${literal(searched)} END`,
      },
      [
        sql`UPDATE im_admin_lists SET has_documents = NOT NEW.has_documents WHERE id = NEW.id`,
        upsertDocuments(sql`im_admin_lists.id = NEW.id AND NOT NEW.has_documents`),
        sql`DELETE FROM im_admin_documents WHERE list = NEW.id AND NEW.has_documents`,
      ],
    ),
    trigger(
      {
        name: "renewDocumentInsert",
        event: "INSTEAD OF INSERT",
        on: "renewDocument",
        when: sql`(SELECT has_documents FROM im_admin_lists WHERE name = 'groupMembers' AND owner = NEW.group_id)`,
      },
      [
        sql`
          DELETE FROM im_admin_documents
            WHERE list = (SELECT id FROM im_admin_lists WHERE name = 'groupMembers' AND owner = NEW.group_id) AND key = NEW.key
              AND NOT EXISTS (
                SELECT 1 FROM im_admin_group_members member INDEXED BY im_admin_group_members_in_order
                  WHERE member.group_id = NEW.group_id AND ${memberKey} = NEW.key)`,
        upsertDocuments(sql`im_admin_lists.owner = NEW.group_id AND ${memberKey} = NEW.key`),
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
      renewDocumentsOf(sql`NEW.user_id`),
      tellIndexes,
    ]),
    trigger({ name: "usersNicknameDelete", event: "AFTER DELETE", on: "users" }, [
      renewDocumentsOf(sql`OLD.user_id`),
      tellIndexes,
    ]),
    trigger(
      {
        name: "usersNicknameUpdate",
        event: "AFTER UPDATE",
        of: ["userID", "nickname"],
        on: "users",
        when: sql`OLD.user_id IS NOT NEW.user_id OR OLD.nickname IS NOT NEW.nickname`,
      },
      [renewDocumentsOf(sql`OLD.user_id`), renewDocumentsOf(sql`NEW.user_id`), tellIndexes],
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
