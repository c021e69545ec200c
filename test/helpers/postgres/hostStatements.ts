/** Statements that a host may write the tables with, made by chance. */
import type { Random } from "../chance.js";

export const userIDs = Array.from({ length: 30 }, (_, index) => `u${index}`);
export const groupIDs = ["g1", "g2", "g3"];

const pick = <Item>(random: Random, items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

export const nicknames = ["", "", "Ann", "anna", "王芳", "王"];

const roles = [20, 20, 20, 60, 100];

/** One statement. It may fail, as a host's statements do. */
export function hostStatement(random: Random): string {
  const user = `'${pick(random, userIDs)}'`;
  const other = `'${pick(random, userIDs)}'`;
  const group = `'${pick(random, groupIDs)}'`;
  const otherGroup = `'${pick(random, groupIDs)}'`;
  const role = pick(random, roles);
  const time = Math.floor(random() * 5);
  const result = pick(random, [-1, 0, 0, 1]);
  // The lists of the first ones are asked for, who are therefore to be there.
  const mortal = `'${pick(random, userIDs.slice(6))}'`;
  const nickname = `'${pick(random, nicknames)}'`;
  const many = `(SELECT 'u' || n AS id, n FROM generate_series(${Math.floor(random() * 20)}, ${Math.floor(random() * 30)}) n) ids`;
  return pick(random, [
    `INSERT INTO im_admin.group_members (group_id, user_id, role_level, join_time) VALUES (${group}, ${user}, ${role}, ${time})
      ON CONFLICT (group_id, user_id) DO UPDATE SET role_level = excluded.role_level, join_time = excluded.join_time`,
    `INSERT INTO im_admin.group_members (group_id, user_id, role_level, join_time)
      SELECT ${group}, id, ${role}, n % 3 FROM ${many} ON CONFLICT DO NOTHING`,
    `INSERT INTO im_admin.group_members (group_id, user_id, role_level, join_time) SELECT ${group}, id, 20, ${time} FROM ${many}
      ON CONFLICT (group_id, user_id) DO UPDATE SET nickname = 'n', join_time = group_members.join_time + 1
      WHERE group_members.role_level < 60`,
    `DELETE FROM im_admin.group_members WHERE group_id = ${group} AND user_id = ${user}`,
    `DELETE FROM im_admin.group_members WHERE group_id = ${group} AND join_time = ${time}`,
    `UPDATE im_admin.group_members SET role_level = ${role} WHERE group_id = ${group} AND user_id = ${user}`,
    `UPDATE im_admin.group_members SET role_level = 120 - role_level WHERE group_id = ${group} AND role_level <= 100`,
    `UPDATE im_admin.group_members SET nickname = ${nickname} WHERE join_time = ${time}`,
    `UPDATE im_admin.group_members SET nickname = ${nickname}, join_time = ${time} WHERE group_id = ${group} AND user_id = ${user}`,
    `UPDATE im_admin.group_members SET join_time = join_time + 1 WHERE user_id = ${user}`,
    // Two members change their keys with each other, by way of a third key.
    `WITH gone AS (DELETE FROM im_admin.group_members WHERE group_id = ${group} AND user_id = ${user} RETURNING *)
      INSERT INTO im_admin.group_members (group_id, user_id, role_level, join_time)
      SELECT ${otherGroup}, ${other}, role_level, join_time FROM gone ON CONFLICT DO NOTHING`,
    `UPDATE im_admin.group_members SET group_id = ${otherGroup} WHERE group_id = ${group} AND user_id = ${user}`,
    `MERGE INTO im_admin.group_members stored USING (SELECT ${group} AS g, id, n FROM ${many}) given
      ON stored.group_id = given.g AND stored.user_id = given.id
      WHEN MATCHED AND stored.role_level = 20 THEN DELETE
      WHEN MATCHED THEN UPDATE SET role_level = 20
      WHEN NOT MATCHED THEN INSERT (group_id, user_id, role_level) VALUES (given.g, given.id, ${role})`,
    `INSERT INTO im_admin.group_requests (group_id, user_id, req_time, handle_result)
      VALUES (${group}, ${user}, ${time}, ${result})
      ON CONFLICT (group_id, user_id) DO UPDATE SET req_time = excluded.req_time, handle_result = excluded.handle_result`,
    `INSERT INTO im_admin.group_requests (group_id, user_id, req_time) SELECT ${group}, id, n / 3 FROM ${many}
      ON CONFLICT (group_id, user_id) DO UPDATE SET req_time = group_requests.req_time + 1`,
    `UPDATE im_admin.group_requests SET handle_result = ${result} WHERE group_id = ${group} AND req_time = ${time}`,
    `DELETE FROM im_admin.group_requests WHERE group_id = ${group} AND req_time > ${time}`,
    `INSERT INTO im_admin.blacks (owner_user_id, black_user_id, create_time) VALUES (${user}, ${other}, ${time})
      ON CONFLICT (owner_user_id, black_user_id) DO UPDATE SET create_time = excluded.create_time`,
    `DELETE FROM im_admin.blacks WHERE owner_user_id = ${user}`,
    `UPDATE im_admin.users SET app_manger_level = ${time} WHERE user_id = ${user}`,
    `UPDATE im_admin.users SET nickname = ${nickname} WHERE user_id IN (${user}, ${other})`,
    `DELETE FROM im_admin.users WHERE user_id = ${mortal}`,
    `INSERT INTO im_admin.users (user_id, nickname) SELECT id, ${nickname} FROM ${many} ON CONFLICT DO NOTHING`,
    `INSERT INTO im_admin.users (user_id, nickname) VALUES (${user}, ${nickname})
      ON CONFLICT (user_id) DO UPDATE SET nickname = excluded.nickname`,
    `UPDATE im_admin.users SET user_id = CASE user_id WHEN 'nobody' THEN ${mortal} ELSE 'nobody' END
      WHERE user_id IN (${mortal}, 'nobody')`,
    `UPDATE im_admin.users SET app_manger_level = app_manger_level + 1 WHERE user_id IN (${user}, ${other})`,
  ]);
}

const levels = ["READ COMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"];

/** A transaction of a few statements, with savepoints and rollbacks. */
export function hostTransaction(random: Random, statement = hostStatement): string[] {
  if (random() < 0.3) return [statement(random)];
  const statements = [`BEGIN ISOLATION LEVEL ${pick(random, levels)}`];
  for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
    statements.push(statement(random));
    if (random() < 0.2) statements.push("SAVEPOINT here", statement(random), "ROLLBACK TO SAVEPOINT here");
    if (random() < 0.1) statements.push("SAVEPOINT here", statement(random), "RELEASE SAVEPOINT here");
  }
  return [...statements, random() < 0.15 ? "ROLLBACK" : "COMMIT"];
}
