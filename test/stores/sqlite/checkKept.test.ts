import BetterSqlite3 from "better-sqlite3";
import { it } from "vitest";
import { expectFound, expectRight, fileWith } from "../../helpers/corruptedFile.js";

const copy = fileWith(3100);
const members = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";
const document = "(SELECT list * 4294967296 + member FROM im_admin_documents WHERE text LIKE 'u0007%')";

/** What check says, and the SQL that has damaged the file, one of each kind. The others are in test/deep. */
expectFound(copy, {
  "lists and nodes do not count what is below them (1, such as groupMembers g1)":
    "UPDATE im_admin_lists SET total = total + 1 WHERE name = 'groupMembers'",
  "lists and nodes do not count what is below them (2, such as groupMembers g1 (level 1, from ''), groupMembers g1 (level 2, from ''))": `UPDATE im_admin_list_nodes SET total = total - 1 WHERE list = ${members} AND level = 1 AND start = ''`,
  "lists are long and have no total (1, such as groupMembers g1)":
    "DELETE FROM im_admin_lists WHERE name = 'groupMembers'",
  "nodes are on no level of a list (1, such as list 999999 (level 1, from ''))":
    "INSERT INTO im_admin_list_nodes (list, level, start, total) VALUES (999999, 1, '', 0)",
  "lists have an impossible height, or documents though they are no groups (1, such as blacks u0001)":
    "UPDATE im_admin_lists SET has_documents = 1 WHERE name = 'blacks'",
  "groups are large and have no documents (1, such as g1)": "UPDATE im_admin_lists SET has_documents = 0",
  "im_admin_listed_users has other rows than im_admin_users gives it (1, such as u0200)":
    "UPDATE im_admin_users SET app_manger_level = 4 WHERE user_id = 'u0200'",
  "im_admin_listed_group_members has other rows than im_admin_group_members gives it (1, such as g1 u0007)":
    "UPDATE im_admin_listed_group_members SET join_time = 99999 WHERE user_id = 'u0007'",
  "im_admin_listed_blacks has other rows than im_admin_blacks gives it (1, such as u0001 u0020)":
    "DELETE FROM im_admin_blacks WHERE black_user_id = 'u0020'",
  "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (4, such as g1 v0000, g1 v0001, g1 v0002)":
    "DELETE FROM im_admin_listed_group_requests WHERE user_id < 'v0004'",
  "documents are not what members and users say (1, such as g1 198020000000000000007u0007)":
    "UPDATE im_admin_documents SET text = text || 'Bob' WHERE text LIKE 'u0007%'",
  "documents have changed otherwise than the full-text indexes are told (1, such as x 王)": `INSERT INTO im_admin_document_changes (document, change, text) VALUES (${document} + 9999, 1, 'x' || char(10) || '王')`,
  "words of documents are not found in the full-text index im_admin_document_trigrams (3, such as '000' of g1 u0007, '007' of g1 u0007, 'u00' of g1 u0007)": `INSERT INTO im_admin_document_trigrams (im_admin_document_trigrams, rowid, text) VALUES ('delete', ${document}, 'u0007')`,
  "words of documents are not found in the full-text index im_admin_document_grams (2, such as '王' of g1 u0007, '王芳' of g1 u0007)": `INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams) VALUES ('delete', ${document}, '王 王芳')`,
  "the full-text index im_admin_document_grams finds words that documents do not have (2, such as '王' of nobody, '王芳' of nobody)": `INSERT INTO im_admin_document_grams (rowid, grams) VALUES (${document} + 9999, '王 王芳')`,
  "the full-text index im_admin_document_grams has records without ways to them, or ways without records (1, such as segment 1)":
    "DELETE FROM im_admin_document_grams_idx",
  "the full-text index im_admin_document_trigrams has wrong counters (1, such as record 1)":
    "DELETE FROM im_admin_document_trigrams_data WHERE id = 1",
  "the full-text index im_admin_document_grams has wrong counters (1, such as record 1)":
    "UPDATE im_admin_document_grams_data SET block = x'' WHERE id = 1",
  "the full-text index im_admin_document_grams has other settings (1, such as pgsz = 70)":
    "INSERT INTO im_admin_document_grams_config VALUES ('pgsz', 70)",
  'the full-text index im_admin_document_grams cannot be read: fts5: corruption found reading blob 10 from table "im_admin_document_grams"':
    "DELETE FROM im_admin_document_grams_data WHERE id = 10",
});

it("check looks past changes that wait to be settled", async () => {
  const path = copy();
  const host = new BetterSqlite3(path);
  host.exec(`
    UPDATE im_admin_users SET nickname = 'Bob' WHERE user_id = 'u0200';
    UPDATE im_admin_users SET app_manger_level = 3 WHERE user_id = 'u0300';
    UPDATE im_admin_group_members SET join_time = 99999 WHERE user_id = 'u0007';
    DELETE FROM im_admin_group_members WHERE user_id = 'u0017';
    DELETE FROM im_admin_blacks WHERE black_user_id = 'u0020';
    INSERT INTO im_admin_group_requests (group_id, user_id) VALUES ('g1', 'new')`);
  host.close();
  await expectRight(path);
});
