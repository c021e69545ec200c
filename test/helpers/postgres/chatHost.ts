/** A chat server with tables of its own: partitions, soft deletes, and names in a second table. */
import type pg from "pg";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { installMap } from "../../../src/stores/postgres/upkeep/installMap.js";
import { defineTables } from "../../../src/stores/tablesSql.js";
import type { Random } from "../chance.js";
import { groupIDs, hostStatement, nicknames, userIDs } from "./hostStatements.js";

const tables = `
  CREATE SCHEMA chat;
  CREATE TABLE chat.users (user_id text PRIMARY KEY, nickname text, app_manger_level smallint, deleted_at timestamptz);
  CREATE TABLE chat.names (user_id varchar(20), name text);
  CREATE TABLE chat.groups (group_id varchar(40) PRIMARY KEY);
  CREATE TABLE chat.group_members (group_id text COLLATE "en-x-icu", user_id text COLLATE "en-x-icu", role_level integer DEFAULT 0,
    join_time bigint DEFAULT 0, nickname text, left_at timestamptz, PRIMARY KEY (group_id, user_id)) PARTITION BY LIST (group_id);
  CREATE TABLE chat.members_of_g1 PARTITION OF chat.group_members FOR VALUES IN ('g1');
  CREATE TABLE chat.members_of_others PARTITION OF chat.group_members DEFAULT PARTITION BY HASH (user_id);
  CREATE TABLE chat.members_even PARTITION OF chat.members_of_others FOR VALUES WITH (MODULUS 2, REMAINDER 0);
  CREATE TABLE chat.members_odd PARTITION OF chat.members_of_others FOR VALUES WITH (MODULUS 2, REMAINDER 1);
  CREATE INDEX ON chat.group_members (user_id);
  CREATE TABLE chat.blacks (owner_user_id text, black_user_id text, create_time bigint, PRIMARY KEY (owner_user_id, black_user_id));
  CREATE TABLE chat.group_requests (group_id text, user_id text, req_time numeric, handle_result smallint DEFAULT 0,
    PRIMARY KEY (group_id, user_id))`;

const name = "(SELECT min(name) FROM chat.names WHERE names.user_id = users.user_id)";

export const chatMap = defineTables({
  users: {
    from: "chat.users",
    key: { userID: "user_id" },
    where: "deleted_at IS NULL",
    fields: { nickname: `coalesce(${name}, nickname)`, appMangerLevel: "app_manger_level" },
    also: [{ table: "chat.names", key: { userID: "user_id" } }],
  },
  groups: { from: "chat.groups", key: { groupID: "group_id" } },
  groupMembers: {
    from: "chat.group_members",
    key: { groupID: "group_id", userID: "user_id" },
    where: "left_at IS NULL",
    fields: { roleLevel: "role_level", joinTime: "join_time", nickname: "nickname" },
  },
  blacks: {
    from: "chat.blacks",
    key: { ownerUserID: "owner_user_id", blackUserID: "black_user_id" },
    fields: { createTime: "create_time" },
  },
  groupRequests: {
    from: "chat.group_requests",
    key: { groupID: "group_id", userID: "user_id" },
    fields: { reqTime: "req_time", handleResult: "handle_result" },
  },
});

/** The records of the host's rows, as SELECTs that know nothing of the map. */
export const chatRecords: Readonly<Record<string, string>> = {
  users: `(SELECT user_id, coalesce((SELECT min(name) FROM chat.names n WHERE n.user_id = u.user_id), nickname, '') AS nickname,
    coalesce(app_manger_level, 0) AS app_manger_level FROM chat.users u WHERE deleted_at IS NULL)`,
  groups: "chat.groups",
  group_members: `(SELECT group_id, user_id, role_level, join_time, coalesce(nickname, '') AS nickname
    FROM chat.group_members WHERE left_at IS NULL AND user_id <> '' AND join_time >= 0 AND role_level BETWEEN 0 AND 999)`,
  blacks: "chat.blacks",
  group_requests: "(SELECT * FROM chat.group_requests WHERE req_time >= 0)",
};

/** Puts the lists over the tables, which must be small enough for the tests. */
export async function makeChatHost(pool: pg.Pool): Promise<void> {
  await pool.query(tables);
  await installMap(pool, quoted("im_admin"), chatMap);
}

/** One statement of the host. It may fail, as a host's statements do. */
export function chatStatement(random: Random): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const user = `'${pick(userIDs)}'`;
  const group = `'${pick(groupIDs)}'`;
  const nickname = `'${pick(nicknames)}'`;
  const time = Math.floor(random() * 5);
  if (random() < 0.7) return hostStatement(random).replaceAll("im_admin.", "chat.");
  return pick([
    `UPDATE chat.users SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE user_id = '${pick(userIDs.slice(6))}'`,
    `UPDATE chat.group_members SET left_at = now() WHERE group_id = ${group} AND join_time = ${time}`,
    `UPDATE chat.group_members SET left_at = NULL, join_time = ${time} WHERE user_id = ${user}`,
    `UPDATE chat.members_of_g1 SET role_level = ${20 * time} WHERE user_id > ${user}`,
    `INSERT INTO chat.members_of_g1 (group_id, user_id, join_time) VALUES ('g1', ${user}, ${time}) ON CONFLICT DO NOTHING`,
    `DELETE FROM chat.members_odd WHERE join_time = ${time}`,
    `INSERT INTO chat.names VALUES (${user}, ${nickname}), ('u3', 'Anna')`,
    `UPDATE chat.names SET name = ${nickname} WHERE user_id = ${user}`,
    `UPDATE chat.names SET user_id = ${user} WHERE name = ${nickname}`,
    `DELETE FROM chat.names WHERE user_id < ${user}`,
    // No list has a place for these.
    `INSERT INTO chat.group_members (group_id, user_id, join_time) VALUES (${group}, '', 1), (${group}, 'x${time}', -1) ON CONFLICT DO NOTHING`,
    `UPDATE chat.group_requests SET req_time = -1 - req_time WHERE user_id = ${user}`,
    `UPDATE chat.users SET app_manger_level = NULL WHERE user_id = ${user}`,
    `WITH gone AS (DELETE FROM chat.blacks WHERE owner_user_id = ${user} RETURNING *), left_group AS (
        DELETE FROM chat.group_members WHERE user_id = ${user} RETURNING group_id
      ) INSERT INTO chat.group_requests (group_id, user_id, req_time) SELECT group_id, ${user}, ${time} FROM left_group ON CONFLICT DO NOTHING`,
  ]);
}
