import { it } from "vitest";
import { corrupt, expectRepaired, fileWith } from "../../../helpers/corruptedFile.js";

const copy = fileWith(3100);

const members = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";
const key = "198020000000000000007u0007";

/** Writes past the triggers, and one sentence of check about each. */
const corruptions: Record<string, [sql: string, sentence: string]> = {
  "a list of nobody's": [
    "INSERT INTO im_admin_lists (name, owner, total) VALUES ('friends', 'u1', 0)",
    "lists have a name that im-admin does not know (1, such as friends u1)",
  ],
  "a foreign list": [
    "UPDATE im_admin_lists SET owner = 'g9' WHERE name = 'groupMembers'",
    "lists of groupMembers have a wrong total (1, such as groupMembers g9)",
  ],
  "a height that is too small": [
    "UPDATE im_admin_lists SET height = 1 WHERE name = 'groupMembers'",
    "nodes are on no level of their list (5, such as groupMembers g1, level 2, from '')",
  ],
  "a height that is too large": [
    "UPDATE im_admin_lists SET height = 3 WHERE name = 'groupMembers'",
    "lists lack the first node of a level (1, such as groupMembers g1, level 3)",
  ],
  "a leaf that starts elsewhere": [
    `UPDATE im_admin_list_nodes SET start = start || 'x' WHERE list = ${members} AND level = 1 AND start = (
      SELECT min(start) FROM im_admin_list_nodes WHERE list = ${members} AND start > '')`,
    "leaves of groupMembers count another number of entries than they have (2, such as groupMembers g1, level 1, from '')",
  ],
  "a larger node that starts elsewhere": [
    `UPDATE im_admin_list_nodes SET start = start || 'x' WHERE list = ${members} AND level = 2 AND start > ''`,
    "nodes start where no child starts (4, such as groupMembers g1, level 2, from '198020000000000000675u0675x')",
  ],
  "a node that has gone": [
    `DELETE FROM im_admin_list_nodes WHERE list = ${members} AND level = 2 AND start = ''`,
    "lists lack the first node of a level (1, such as groupMembers g1, level 2)",
  ],
  "a node above the others": [
    `INSERT INTO im_admin_list_nodes (list, level, start, total) VALUES (${members}, 4, '', 6000)`,
    "nodes are on no level of their list (1, such as groupMembers g1, level 4, from '')",
  ],
  "a moved member": [
    "UPDATE im_admin_group_members SET join_time = 99999 WHERE user_id = 'u0007'",
    "im_admin_listed_group_members lacks rows that im_admin_group_members gives it (1, such as g1 u0007)",
  ],
  "a moved listed member": [
    "UPDATE im_admin_listed_group_members SET join_time = 99999 WHERE user_id = 'u0007'",
    "leaves of groupMembers count another number of entries than they have (2, such as groupMembers g1, level 1, from '')",
  ],
  "a missing listed member": [
    "DELETE FROM im_admin_listed_group_members WHERE user_id = 'u0007'",
    `documents have no member, or another one (1, such as g1 ${key})`,
  ],
  "a member who has gone": [
    "DELETE FROM im_admin_group_members WHERE user_id = 'u0007'",
    "im_admin_listed_group_members has rows that im_admin_group_members does not give it (1, such as g1 u0007)",
  ],
  "a notification account that was made": [
    "UPDATE im_admin_users SET app_manger_level = 4 WHERE user_id = 'u0200'",
    "im_admin_listed_users lacks rows that im_admin_users gives it (1, such as u0200)",
  ],
  "a blacklist entry that has gone": [
    "DELETE FROM im_admin_blacks WHERE black_user_id = 'u0020'",
    "im_admin_listed_blacks has rows that im_admin_blacks does not give it (1, such as u0001 u0020)",
  ],
  "a received request with another result": [
    "UPDATE im_admin_listed_group_requests SET handle_result = 1 WHERE user_id = 'v0003'",
    "im_admin_listed_group_requests lacks rows that im_admin_group_requests gives it (1, such as g1 v0003)",
  ],
  "a request with another time": [
    "UPDATE im_admin_group_requests SET req_time = 1000 WHERE user_id = 'v0003'",
    "im_admin_listed_group_requests has rows that im_admin_group_requests does not give it (1, such as g1 v0003)",
  ],
  "a manager who is no longer one": [
    "UPDATE im_admin_group_members SET role_level = 20 WHERE role_level = 100",
    "im_admin_listed_group_members has rows that im_admin_group_members does not give it (1, such as g1 u0000)",
  ],
  "a list that is no group and has documents": [
    "UPDATE im_admin_lists SET has_documents = 1 WHERE name = 'blacks'",
    "lists have documents that are no groups, or say it otherwise than by 0 and 1 (1, such as blacks u0001)",
  ],
};

it.each(Object.entries(corruptions))("check finds %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  corrupt(path, sql);
  await expectRepaired(path, sentence);
});
