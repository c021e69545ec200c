/**
 * The triggers that keep documents and indexes up to date. After each change of a member, they compute its document
 * from the present rows. So it does not matter in which order these triggers and those of a host run.
 */
import { groupMembers } from "../../lists/groupMembers.js";
import { keyOf } from "../nodes/keys.js";
import type { Sizes } from "../nodes/nodeTables.js";
import type { FurtherOfRecord } from "../nodes/recordTriggers.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { documentID, listedMembers } from "./documents.js";
import { byList, byUser, gramsOf, isBeyondAscii, selectDocuments } from "./documentTables.js";

/** Inserts documents, and updates existing ones only if they have changed. */
export function upsertDocuments(condition: Sql, from = byList): Sql {
  return sql`
    INSERT INTO im_admin_documents (list, key, member, text)
      ${selectDocuments(condition, from)}
      ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
        WHERE member <> excluded.member OR text <> excluded.text`;
}

/** Ends a write: writes the collected changes to the indexes if there are enough. */
export const tellIndexes = sql`INSERT INTO im_admin_apply_changes (is_over) VALUES (1)`;

/** Notes that a document has got or lost a text. */
function change(row: "NEW" | "OLD"): Sql {
  const id = documentID(sql`${raw(row)}.list`, sql`${raw(row)}.member`);
  return sql`
    INSERT INTO im_admin_document_changes (document, change, text)
      VALUES (${id}, ${raw(row === "NEW" ? "1" : "-1")}, ${raw(row)}.text)`;
}

/**
 * Writes the collected changes to the indexes. It deletes before it inserts, since a lost and a new text may share
 * words. It skips a text that came and went again.
 */
export const applyChanges: readonly Sql[] = [
  sql`
    INSERT INTO im_admin_document_trigrams (rowid, text)
      SELECT document, text FROM im_admin_document_changes WHERE change > 0 ORDER BY document`,
  sql`
    INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams)
      SELECT (CASE WHEN change < 0 THEN 'delete' END), document, ${gramsOf(sql`text`)} FROM (
        SELECT document, text, sum(change) AS change FROM im_admin_document_changes
          WHERE ${isBeyondAscii} GROUP BY document, text HAVING sum(change) <> 0
          ORDER BY document, sum(change)
      )`,
  sql`DELETE FROM im_admin_document_changes`,
];

/** Writes the collected changes to the indexes once there are enough. */
export function applyChangesTrigger({ collected }: Sizes): SchemaObject {
  const when = sql`EXISTS (SELECT 1 FROM im_admin_document_changes WHERE id >= ${literal(collected)})`;
  return trigger({ name: "applyChangesInsert", event: "INSTEAD OF INSERT", on: "applyChanges", when }, applyChanges);
}

/** Creates the documents of a group when it becomes large, and deletes them when it becomes small. */
export function listsDocuments({ searched }: Sizes): SchemaObject {
  return trigger(
    {
      name: "listsDocuments",
      event: "AFTER UPDATE",
      of: ["total"],
      on: "lists",
      when: sql`
        NEW.name = 'groupMembers' AND (CASE WHEN NEW.has_documents
          THEN NEW.total < ${literal(Math.floor(searched / 2))} ELSE NEW.total > ${literal(searched)} END)`,
    },
    [
      sql`UPDATE im_admin_lists SET has_documents = NOT NEW.has_documents WHERE id = NEW.id`,
      upsertDocuments(sql`im_admin_lists.id = NEW.id AND NOT NEW.has_documents`),
      sql`DELETE FROM im_admin_documents WHERE list = NEW.id AND NEW.has_documents`,
    ],
  );
}

/** Deletes the document of a listed member that goes or gets another place. */
export function forgetDocument(condition: Sql): Sql {
  return sql`
    DELETE FROM im_admin_documents
      WHERE ${condition} AND key = ${keyOf(groupMembers, "OLD")}
        AND list = (SELECT id FROM im_admin_lists WHERE name = 'groupMembers' AND owner = OLD.group_id)`;
}

/** Updates the documents of a user. */
export function documentsOfUser(userID: Sql, condition: Sql): Sql {
  return upsertDocuments(sql`im_admin_lists.has_documents AND ${condition} AND member.user_id = ${userID}`, byUser);
}

/** Updates the documents of a group. */
export function documentsOfGroup(groupID: Sql, condition: Sql): Sql {
  return upsertDocuments(sql`im_admin_lists.has_documents AND ${condition} AND im_admin_lists.owner = ${groupID}`);
}

/** Documents depend on members, and on profiles for members without their own nickname. */
export const search: FurtherOfRecord = {
  columns: (record) => (record === "groupMembers" || record === "users" ? ["nickname"] : []),
  renew(record, key, condition) {
    switch (record) {
      case "groupMembers": {
        const isMember = sql`member.group_id = ${key("groupID")} AND member.user_id = ${key("userID")}`;
        const ofGroup = sql`im_admin_lists.owner = ${key("groupID")}`;
        const from = sql`im_admin_lists CROSS JOIN ${listedMembers} member`;
        const isLarge = sql`im_admin_lists.has_documents AND ${condition}`;
        return [upsertDocuments(sql`${isLarge} AND ${ofGroup} AND ${isMember}`, from), tellIndexes];
      }
      case "users":
        return [documentsOfUser(key("userID"), condition), tellIndexes];
      default:
        return [];
    }
  },
};

/** The triggers on documents that keep the indexes. */
export const documentTriggers: readonly SchemaObject[] = [
  trigger({ name: "documentsInsert", event: "AFTER INSERT", on: "documents" }, [change("NEW")]),
  trigger({ name: "documentsUpdate", event: "AFTER UPDATE", of: ["member", "text"], on: "documents" }, [
    change("OLD"),
    change("NEW"),
  ]),
  trigger({ name: "documentsDelete", event: "AFTER DELETE", on: "documents" }, [change("OLD")]),
];
