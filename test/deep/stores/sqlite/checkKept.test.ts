import BetterSqlite3 from "better-sqlite3";
import { it } from "vitest";
import { corrupt, expectFound, expectRepaired, expectRight, fileWith } from "../../../helpers/corruptedFile.js";

const copy = fileWith(3100);
const ofFirst = "WHERE start = ''";
const members = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";

/** What check says, and the SQL that has damaged the file, one of each kind. */
expectFound(copy, {
  "lists and nodes do not count what is below them (1, such as groupMembers g1)":
    "UPDATE im_admin_lists SET total = total + 1 WHERE name = 'groupMembers'",
  "lists and nodes do not count what is below them (2, such as groupMembers g1 (level 1, from ''), groupMembers g1 (level 2, from ''))": `UPDATE im_admin_list_nodes SET total = total - 1 WHERE list = ${members} AND level = 1 AND start = ''`,
  "lists are long and have no total (1, such as groupMembers g1)":
    "DELETE FROM im_admin_lists WHERE name = 'groupMembers'",
  "nodes are on no level of a list (1, such as list 999999 (level 1, from ''))":
    "INSERT INTO im_admin_list_nodes (list, level, start, total) VALUES (999999, 1, '', 0)",
  "leaves have other words than their rows (1, such as groupMembers g1 (from ''))": `UPDATE im_admin_list_words SET words = replace(words, 'ann u0000', 'bob') ${ofFirst}`,
  "im_admin_listed_users has other rows than im_admin_users gives it (1, such as u0200)":
    "UPDATE im_admin_users SET app_manger_level = 4 WHERE user_id = 'u0200'",
  "im_admin_listed_group_members has other rows than im_admin_group_members gives it (1, such as g1 u0007)":
    "UPDATE im_admin_listed_group_members SET join_time = 99999 WHERE user_id = 'u0007'",
  "im_admin_listed_blacks has other rows than im_admin_blacks gives it (1, such as u0001 u0020)":
    "DELETE FROM im_admin_blacks WHERE black_user_id = 'u0020'",
  "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (4, such as g1 v0000, g1 v0001, g1 v0002)":
    "DELETE FROM im_admin_listed_group_requests WHERE user_id < 'v0004'",
});

/** Others of these kinds. */
expectFound(copy, {
  "lists and nodes do not count what is below them (1, such as friends u1)":
    "INSERT INTO im_admin_lists (name, owner, total) VALUES ('friends', 'u1', 0)",
  "lists and nodes do not count what is below them (35, such as groupMembers g9 (level 1, from ''), groupMembers g9 (level 1, from '198020000000000000090u0090'), groupMembers g9 (level 1, from '198020000000000000180u0180'))":
    "UPDATE im_admin_lists SET owner = 'g9' WHERE name = 'groupMembers'",
  "lists and nodes do not count what is below them (1, such as groupMembers g1)":
    "UPDATE im_admin_lists SET height = 3 WHERE name = 'groupMembers'",
  "lists and nodes do not count what is below them (2, such as groupMembers g1, groupMembers g1 (level 2, from ''))": `UPDATE im_admin_list_nodes SET total = total - 1 WHERE list = ${members} AND level = 2 AND start = ''`,
  "lists and nodes do not count what is below them (2, such as groupMembers g1 (level 1, from ''), groupMembers g1 (level 1, from '198020000000000000090u0090x'))": `UPDATE im_admin_list_nodes SET start = start || 'x' WHERE list = ${members} AND level = 1 AND start LIKE '%u0090'`,
  "lists and nodes do not count what is below them (4, such as groupMembers g1 (level 2, from ''), groupMembers g1 (level 2, from '198020000000000000810u0810x'), groupMembers g1 (level 2, from '198020000000000001620u1620x'))": `UPDATE im_admin_list_nodes SET start = start || 'x' WHERE list = ${members} AND level = 2 AND start > ''`,
  "lists and nodes do not count what is below them (1, such as groupMembers g1 (level 2, from ''))": `DELETE FROM im_admin_list_nodes WHERE list = ${members} AND level = 1 AND start = ''`,
  "nodes are on no level of a list (39, such as groupMembers g1 (level 1, from ''), groupMembers g1 (level 1, from '198020000000000000090u0090'), groupMembers g1 (level 1, from '198020000000000000180u0180'))":
    "UPDATE im_admin_lists SET height = -1 WHERE name = 'groupMembers'",
  "nodes are on no level of a list (4, such as groupMembers g1 (level 2, from ''), groupMembers g1 (level 2, from '198020000000000000810u0810'), groupMembers g1 (level 2, from '198020000000000001620u1620'))":
    "UPDATE im_admin_lists SET height = 1 WHERE name = 'groupMembers'",
  "nodes are on no level of a list (1, such as groupMembers g1 (level 4, from ''))": `INSERT INTO im_admin_list_nodes (list, level, start, total) VALUES (${members}, 4, '', 6000)`,
  "lists have an impossible height (1, such as blacks u0001)":
    "UPDATE im_admin_lists SET height = 'high' WHERE name = 'blacks'",
  "leaves have other words than their rows (1, such as groupMembers g1 (from ''))": `DELETE FROM im_admin_list_words ${ofFirst}`,
  "leaves have other words than their rows (1, such as list 99 (from ''))":
    "INSERT INTO im_admin_list_words (list, start, words) VALUES (99, '', '[null]')",
  "im_admin_listed_group_members has other rows than im_admin_group_members gives it (1, such as g1 u0000)":
    "UPDATE im_admin_group_members SET role_level = 20 WHERE role_level = 100",
  "im_admin_listed_group_members has other rows than im_admin_group_members gives it (1, such as g1 u0007)":
    "DELETE FROM im_admin_listed_group_members WHERE user_id = 'u0007'",
  "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (1, such as g1 nobody)":
    "INSERT INTO im_admin_listed_group_requests VALUES ('g1', 'nobody', 3, 0)",
  "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (1, such as g1 v0003)":
    "UPDATE im_admin_listed_group_requests SET handle_result = 1 WHERE user_id = 'v0003'",
});

it.each([
  ["lacks a row", "replace(words, ',\"u0001' || char(127) || 'ann u0001\"', '')"],
  ["has a row twice", "replace(words, 'null', 'null,\"u0001' || char(127) || 'ann u0001\"')"],
  ["is no JSON", "substr(words, 2)"],
  ["is empty", "''"],
])("check says, and --repair mends, that the text of a leaf %s", async (_, words) => {
  const path = copy();
  corrupt(path, `UPDATE im_admin_list_words SET words = ${words} ${ofFirst}`);
  await expectRepaired(path, "leaves have other words than their rows (1, such as groupMembers g1 (from ''))");
});

it("check looks past changes that wait to be settled", async () => {
  const path = copy();
  const host = new BetterSqlite3(path);
  host.exec(`
    UPDATE im_admin_users SET nickname = 'Bob' WHERE user_id = 'u0200';
    DELETE FROM im_admin_users WHERE user_id = 'u0400';
    UPDATE im_admin_group_members SET nickname = 'Bob' WHERE user_id = 'u0500';
    UPDATE im_admin_users SET app_manger_level = 3 WHERE user_id = 'u0300';
    UPDATE im_admin_group_members SET join_time = 99999 WHERE user_id = 'u0007';
    DELETE FROM im_admin_group_members WHERE user_id = 'u0017';
    DELETE FROM im_admin_blacks WHERE black_user_id = 'u0020';
    INSERT INTO im_admin_group_requests (group_id, user_id) VALUES ('g1', 'new')`);
  host.close();
  await expectRight(path);
});
