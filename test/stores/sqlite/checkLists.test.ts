import { it } from "vitest";
import { corrupt, expectRepaired, fileWith } from "../../helpers/corruptedFile.js";

const copy = fileWith(3100);

const members = "(SELECT id FROM im_admin_lists WHERE name = 'groupMembers')";

/**
 * Writes past the triggers, one of each kind, and one sentence of check about each. The others are in test/deep.
 */
const corruptions: Record<string, [sql: string, sentence: string]> = {
  "a wrong total": [
    "UPDATE im_admin_lists SET total = total + 1 WHERE name = 'groupMembers'",
    "lists of groupMembers have a wrong total (1, such as groupMembers g1)",
  ],
  "a list that has gone": [
    "DELETE FROM im_admin_lists WHERE name = 'groupMembers'",
    "lists of groupMembers are long and have no total (1, such as groupMembers g1)",
  ],
  "a height below 0": [
    "UPDATE im_admin_lists SET height = -1 WHERE name = 'groupMembers'",
    "lists have an impossible height (1, such as groupMembers g1)",
  ],
  "a leaf that counts wrongly": [
    `UPDATE im_admin_list_nodes SET total = total - 1 WHERE list = ${members} AND level = 1 AND start = ''`,
    "leaves of groupMembers count another number of entries than they have (1, such as groupMembers g1, level 1, from '')",
  ],
  "a larger node that counts wrongly": [
    `UPDATE im_admin_list_nodes SET total = total - 1 WHERE list = ${members} AND level = 2 AND start = ''`,
    "nodes count another number of entries than their children (1, such as groupMembers g1, level 2, from '')",
  ],
  "a node of no list": [
    "INSERT INTO im_admin_list_nodes (list, level, start, total) VALUES (999999, 1, '', 0)",
    "nodes belong to no list (1, such as list 999999, level 1, from '')",
  ],
  "a request that has gone from its list": [
    "DELETE FROM im_admin_listed_group_requests WHERE user_id = 'v0003'",
    "im_admin_listed_group_requests lacks rows that im_admin_group_requests gives it (1, such as g1 v0003)",
  ],
  "a request that nobody has made": [
    "INSERT INTO im_admin_listed_group_requests VALUES ('g1', 'nobody', 3, 0)",
    "im_admin_listed_group_requests has rows that im_admin_group_requests does not give it (1, such as g1 nobody)",
  ],
  "a large group without documents": [
    "UPDATE im_admin_lists SET has_documents = 0",
    "groups are large and have no documents (1, such as g1)",
  ],
};

it.each(Object.entries(corruptions))("check finds %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  corrupt(path, sql);
  await expectRepaired(path, sentence);
});
