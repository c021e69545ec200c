const documentsDiffer = "documents are not what members and their profiles say";
const levelsDiffer = "levels of lists do not add up to the total";
const nodesDiffer = "nodes do not count what those below them count";
const triggersMissing = "triggers are missing or disabled";
const requestsDiffer = "received requests are not those for the groups that users manage";

const unnoticed = (statement: string) =>
  `SET session_replication_role = replica; ${statement}; RESET session_replication_role`;

/**
 * What somebody may do to a schema whose group g1 has a list with nodes of two levels, and what a check says of it. User
 * u1 manages the group, and u2 has asked to join it.
 */
export const corruptions: readonly [statement: string, problems: readonly string[]][] = [
  ["UPDATE im_admin.list_totals SET total = total + 1", ["lists of group_members have a wrong total", levelsDiffer]],
  [
    "UPDATE im_admin.list_nodes SET totals[3] = totals[3] + 1 WHERE level = 1 AND start = ''",
    ["nodes of group_members count wrongly", levelsDiffer, nodesDiffer],
  ],
  [
    "UPDATE im_admin.list_nodes SET totals[1] = totals[1] + 1, totals[2] = totals[2] - 1 WHERE level = 2",
    [nodesDiffer],
  ],
  ["UPDATE im_admin.list_nodes SET bounds[2] = bounds[2] || '0' WHERE level = 2", [nodesDiffer]],
  [
    "UPDATE im_admin.list_nodes SET bounds[2] = bounds[1] WHERE level = 1 AND start = ''",
    ["nodes of group_members count wrongly", "nodes do not follow one another"],
  ],
  [
    "DELETE FROM im_admin.list_nodes WHERE level = 1 AND start <> ''",
    [levelsDiffer, "nodes do not follow one another", nodesDiffer],
  ],
  ["DELETE FROM im_admin.list_nodes WHERE level = 2", [levelsDiffer]],
  [
    `INSERT INTO im_admin.list_nodes (list, owner, level, start, version, bounds, totals)
      SELECT list, owner, 3, '', version, ARRAY['', ':'], ARRAY[total] FROM im_admin.list_totals`,
    ["nodes belong to no list"],
  ],
  [
    `INSERT INTO im_admin.list_totals (list, owner, version, total, height, folded_before)
      SELECT list, owner, '1', total, height, folded_before FROM im_admin.list_totals`,
    ["lists are counted in part"],
  ],
  ["DELETE FROM im_admin.lists", ["lists are counted in part", "documents belong to no group that is searched"]],
  ["DELETE FROM im_admin.list_totals", ["lists are counted in part", "nodes belong to no list"]],
  ["DROP TRIGGER blacks_insert ON im_admin.blacks", [triggersMissing]],
  ["DROP TRIGGER users_update ON im_admin.users", [triggersMissing]],
  ["DROP TRIGGER users_truncate ON im_admin.users", [triggersMissing]],
  ["ALTER TABLE im_admin.users DISABLE TRIGGER ALL", [triggersMissing]],
  [
    unnoticed("DELETE FROM im_admin.group_members WHERE user_id = 'u7'"),
    ["lists of group_members have a wrong total", "nodes of group_members count wrongly", documentsDiffer],
  ],
  [unnoticed("INSERT INTO im_admin.users (user_id, nickname) VALUES ('u8', 'Ann')"), [documentsDiffer]],
  ["DELETE FROM im_admin.documents WHERE words LIKE '%u9%'", [documentsDiffer]],
  ["UPDATE im_admin.documents SET key = key || 'x' WHERE words LIKE '%u9%'", [documentsDiffer]],
  ["DELETE FROM im_admin.searched_groups", ["documents belong to no group that is searched"]],
  ["DELETE FROM im_admin.received_group_requests WHERE user_id = 'u2'", [requestsDiffer]],
  ["UPDATE im_admin.received_group_requests SET req_time = 7 WHERE user_id = 'u2'", [requestsDiffer]],
  [
    `INSERT INTO im_admin.received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
      VALUES ('u1', 'g1', 'u9', 0, 0)`,
    [requestsDiffer],
  ],
];
