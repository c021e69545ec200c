const listsDiffer = "lists of group_members are not what the rows say";
const countsDiffer = "lists and nodes do not count what is below them";
const disorder = "keys are not in their order";
const triggersMissing = "triggers are missing or disabled";

const unnoticed = (statement: string) =>
  `SET session_replication_role = replica; ${statement}; RESET session_replication_role`;

/**
 * What somebody may do to a schema whose group g1 has a tree of several levels, and what a check says of it. User u1
 * manages the group.
 */
export const corruptions: readonly [statement: string, problems: readonly string[]][] = [
  ["UPDATE im_admin.lists SET total = total + 1 WHERE list = 'group_members'", [countsDiffer]],
  ["UPDATE im_admin.lists SET height = height + 1 WHERE list = 'group_members'", [countsDiffer]],
  [
    "UPDATE im_admin.list_nodes SET totals[1] = totals[1] + 1, totals[2] = totals[2] - 1 WHERE list = 'group_members' AND level = 2 AND start = ''",
    [countsDiffer],
  ],
  [
    "UPDATE im_admin.list_nodes SET entries[2] = entries[2] || '0' WHERE list = 'group_members' AND level = 2 AND start = ''",
    [countsDiffer],
  ],
  [
    "UPDATE im_admin.list_nodes SET entries[2] = entries[1] WHERE list = 'group_members' AND level = 1 AND start = ''",
    [listsDiffer, disorder],
  ],
  [
    "DELETE FROM im_admin.list_nodes WHERE list = 'group_members' AND level = 1 AND start <> ''",
    [listsDiffer, countsDiffer],
  ],
  ["DELETE FROM im_admin.list_nodes WHERE list = 'group_members' AND level = 2 AND start = ''", [countsDiffer]],
  ["DELETE FROM im_admin.lists WHERE list = 'group_members'", [countsDiffer]],
  ["DROP TRIGGER zz_im_admin_blacks_insert ON im_admin.blacks", [triggersMissing]],
  ["DROP TRIGGER zz_im_admin_users_update ON im_admin.users", [triggersMissing]],
  ["DROP TRIGGER zz_im_admin_users_truncate ON im_admin.users", [triggersMissing]],
  ["ALTER TABLE im_admin.users DISABLE TRIGGER ALL", [triggersMissing]],
  [unnoticed("DELETE FROM im_admin.group_members WHERE user_id = 'u7'"), [listsDiffer]],
  [unnoticed("INSERT INTO im_admin.users (user_id, nickname) VALUES ('u8', 'Ann')"), [listsDiffer]],
  ["UPDATE im_admin.list_nodes SET words = replace(words, 'u9', 'x9') WHERE words LIKE '%u9%'", [listsDiffer]],
  [
    "INSERT INTO im_admin.list_changes (list, owner, key, change) VALUES ('group_members', 'g1', 'x', 1)",
    [listsDiffer],
  ],
];
