import BetterSqlite3 from "better-sqlite3";
import { it } from "vitest";
import { expectFound, expectRight, fileWith } from "../../../helpers/corruptedFile.js";

const copy = fileWith(3100);
const members = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";
const document = "(SELECT list * 4294967296 + member FROM im_admin_documents WHERE text LIKE 'u0007%')";
const lastTrigrams = "WHERE id = (SELECT max(id) FROM im_admin_document_trigrams_data)";

/** What check says, and the SQL that has damaged the file, one of each kind. */
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

/** Others of these kinds. */
expectFound(copy, {
  "lists and nodes do not count what is below them (1, such as friends u1)":
    "INSERT INTO im_admin_lists (name, owner, total) VALUES ('friends', 'u1', 0)",
  "lists and nodes do not count what is below them (42, such as groupMembers g9 (level 1, from ''), groupMembers g9 (level 1, from '198020000000000000075u0075'), groupMembers g9 (level 1, from '198020000000000000150u0150'))":
    "UPDATE im_admin_lists SET owner = 'g9' WHERE name = 'groupMembers'",
  "lists and nodes do not count what is below them (1, such as groupMembers g1)":
    "UPDATE im_admin_lists SET height = 3 WHERE name = 'groupMembers'",
  "lists and nodes do not count what is below them (2, such as groupMembers g1, groupMembers g1 (level 2, from ''))": `UPDATE im_admin_list_nodes SET total = total - 1 WHERE list = ${members} AND level = 2 AND start = ''`,
  "lists and nodes do not count what is below them (2, such as groupMembers g1 (level 1, from ''), groupMembers g1 (level 1, from '198020000000000000075u0075x'))": `UPDATE im_admin_list_nodes SET start = start || 'x' WHERE list = ${members} AND level = 1 AND start LIKE '%u0075'`,
  "lists and nodes do not count what is below them (5, such as groupMembers g1 (level 2, from ''), groupMembers g1 (level 2, from '198020000000000000675u0675x'), groupMembers g1 (level 2, from '198020000000000001275u1275x'))": `UPDATE im_admin_list_nodes SET start = start || 'x' WHERE list = ${members} AND level = 2 AND start > ''`,
  "lists and nodes do not count what is below them (1, such as groupMembers g1 (level 2, from ''))": `DELETE FROM im_admin_list_nodes WHERE list = ${members} AND level = 1 AND start = ''`,
  "nodes are on no level of a list (47, such as groupMembers g1 (level 1, from ''), groupMembers g1 (level 1, from '198020000000000000075u0075'), groupMembers g1 (level 1, from '198020000000000000150u0150'))":
    "UPDATE im_admin_lists SET height = -1 WHERE name = 'groupMembers'",
  "nodes are on no level of a list (5, such as groupMembers g1 (level 2, from ''), groupMembers g1 (level 2, from '198020000000000000675u0675'), groupMembers g1 (level 2, from '198020000000000001275u1275'))":
    "UPDATE im_admin_lists SET height = 1 WHERE name = 'groupMembers'",
  "nodes are on no level of a list (1, such as groupMembers g1 (level 4, from ''))": `INSERT INTO im_admin_list_nodes (list, level, start, total) VALUES (${members}, 4, '', 6000)`,
  "lists have an impossible height, or documents though they are no groups (1, such as blacks u0001)":
    "UPDATE im_admin_lists SET height = 'high' WHERE name = 'blacks'",
  "im_admin_listed_group_members has other rows than im_admin_group_members gives it (1, such as g1 u0000)":
    "UPDATE im_admin_group_members SET role_level = 20 WHERE role_level = 100",
  "im_admin_listed_group_members has other rows than im_admin_group_members gives it (1, such as g1 u0007)":
    "DELETE FROM im_admin_listed_group_members WHERE user_id = 'u0007'",
  "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (1, such as g1 nobody)":
    "INSERT INTO im_admin_listed_group_requests VALUES ('g1', 'nobody', 3, 0)",
  "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (1, such as g1 v0003)":
    "UPDATE im_admin_listed_group_requests SET handle_result = 1 WHERE user_id = 'v0003'",
  "documents are not what members and users say (1, such as g1 198020000000000000007u0007)":
    "DELETE FROM im_admin_documents WHERE text LIKE 'u0007%'",
  "documents are not what members and users say (1, such as g1 198020000000000000008u0008)":
    "UPDATE im_admin_users SET nickname = 'Bob' WHERE user_id = 'u0008'",
  "documents are not what members and users say (1, such as g1 198020000000000000009u0009)":
    "UPDATE im_admin_documents SET member = member + 1 WHERE text LIKE 'u0009%'",
  "documents are not what members and users say (2, such as g1 198020000000000000007u0007, g1 198020000000000000007u0007x)":
    "UPDATE im_admin_documents SET key = key || 'x' WHERE text LIKE 'u0007%'",
  "documents are not what members and users say (1, such as list 99 k)":
    "INSERT INTO im_admin_documents VALUES (99, 'k', 7, 'Bob')",
  "words of documents are not found in the full-text index im_admin_document_trigrams (1,152, such as '\ufffdan' of g1 u0000, '\ufffd王芳' of g1 u0007, ' u0' of g1 u0000)":
    "INSERT INTO im_admin_document_trigrams (im_admin_document_trigrams) VALUES ('delete-all')",
  "words of documents are not found in the full-text index im_admin_document_trigrams (14, such as 'u19' of g1 u1900, 'u20' of g1 u2000, 'u21' of g1 u2100)":
    "DELETE FROM im_admin_document_trigrams_idx WHERE term = (SELECT max(term) FROM im_admin_document_trigrams_idx)",
  "the full-text index im_admin_document_grams finds words that documents do not have (1, such as '王' of nobody)": `UPDATE im_admin_document_grams_data SET block = CAST(substr(block, 1, 40) || x'ffff' || substr(block, 43) AS BLOB)
      WHERE id = (SELECT max(id) FROM im_admin_document_grams_data)`,
  "the full-text index im_admin_document_grams has records without ways to them, or ways without records (1, such as segment 1, page 0)":
    "UPDATE im_admin_document_grams_idx SET pgno = 1",
  'the full-text index im_admin_document_trigrams is damaged (1, such as fts5: corruption found reading blob 137438953473 from table "im_admin_document_trigrams")':
    "DELETE FROM im_admin_document_trigrams_idx WHERE term = (SELECT min(term) FROM im_admin_document_trigrams_idx)",
  'the full-text index im_admin_document_trigrams is damaged (1, such as fts5: corruption found reading blob 137438953483 from table "im_admin_document_trigrams")': `UPDATE im_admin_document_trigrams_data SET block = substr(block, 1, 100) ${lastTrigrams}`,
  "the full-text index im_admin_document_trigrams cannot be read: database disk image is malformed": `DELETE FROM im_admin_document_trigrams_data ${lastTrigrams}`,
  "the full-text index im_admin_document_trigrams cannot be read: invalid fts5 file format (found 99, expected 4 or 5) - run 'rebuild'":
    "UPDATE im_admin_document_trigrams_config SET v = 99",
  "the full-text index im_admin_document_grams cannot be read: invalid fts5 file format (found 0, expected 4 or 5) - run 'rebuild'":
    "DELETE FROM im_admin_document_grams_config",
  "the table im_admin_document_trigrams_data is missing": "DROP TABLE im_admin_document_trigrams_data",
  "the table im_admin_document_grams_idx is missing": "DROP TABLE im_admin_document_grams_idx",
  "the table im_admin_document_trigrams_config is missing": "DROP TABLE im_admin_document_trigrams_config",
  "the table im_admin_document_trigrams_idx is missing: the view of that name is none of ours":
    "DROP TABLE im_admin_document_trigrams_idx; CREATE VIEW im_admin_document_trigrams_idx AS SELECT 1 AS segid, 2 AS term, 3 AS pgno",
  "the full-text index im_admin_document_trigrams cannot be read: no such tokenizer: none":
    "UPDATE sqlite_schema SET sql = replace(sql, '''trigram''', '''none''') WHERE name = 'im_admin_document_trigrams'",
  "the full-text index im_admin_document_grams cannot be read: no such module: fts9":
    "UPDATE sqlite_schema SET sql = replace(sql, 'fts5', 'fts9') WHERE name = 'im_admin_document_grams'",
  "the table im_admin_document_grams is another one than im-admin makes":
    "DROP TABLE im_admin_document_grams; CREATE TABLE im_admin_document_grams (grams, im_admin_document_grams)",
  "the table im_admin_document_trigrams is missing":
    "DELETE FROM sqlite_schema WHERE name = 'im_admin_document_trigrams'",
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
