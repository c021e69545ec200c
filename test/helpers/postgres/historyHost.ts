/** A chat server whose tables keep histories, JSON and numbers in place of IDs, and decide by other tables. */
import type pg from "pg";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { installMap } from "../../../src/stores/postgres/upkeep/installMap.js";
import { defineTables } from "../../../src/stores/tablesSql.js";
import type { Random } from "../chance.js";
import { groupIDs, nicknames } from "./hostStatements.js";

const tables = `
  CREATE SCHEMA past;
  CREATE TABLE past.people (number integer PRIMARY KEY, nickname text, level integer, bio text);
  CREATE TABLE past.bans (number integer, reason text);
  CREATE TABLE past.rooms (room text PRIMARY KEY, is_closed boolean DEFAULT false, last_post bigint);
  CREATE TABLE past.memberships (dropped text, position bigint GENERATED ALWAYS AS IDENTITY, room text, number integer, membership text,
    level integer DEFAULT 20, at bigint DEFAULT 0);
  ALTER TABLE past.memberships DROP COLUMN dropped;
  CREATE INDEX ON past.memberships (room, number);
  CREATE INDEX ON past.memberships (number);
  CREATE TABLE past.settings (owner text PRIMARY KEY, ignored jsonb);
  CREATE TABLE past.asked (id bigint GENERATED ALWAYS AS IDENTITY, room text, number integer, at bigint);
  CREATE TABLE past.decisions (room text, number integer, result integer, PRIMARY KEY (room, number));
  CREATE VIEW past.shut AS SELECT room FROM past.rooms WHERE is_closed`;

const userID = { sql: "'u' || number" };
const room = { groupID: "room" };

export const historyMap = defineTables({
  users: {
    from: "past.people",
    key: { userID },
    where: "NOT EXISTS (SELECT FROM past.bans WHERE bans.number = people.number)",
    fields: { nickname: "nickname", appMangerLevel: "level", ex: "bio" },
    also: [{ table: "past.bans", key: { userID } }],
  },
  groups: { from: "past.rooms", key: room },
  groupMembers: {
    from: "past.memberships",
    key: { ...room, userID },
    latest: "position",
    where: "membership = 'join' AND room NOT IN (SELECT shut.room FROM past.shut)",
    fields: { roleLevel: "level", joinTime: "at" },
    also: [{ table: "past.rooms", key: room }],
  },
  blacks: {
    from: `(SELECT owner, number, count(*) AS times FROM past.settings
      CROSS JOIN LATERAL jsonb_array_elements_text(ignored) number GROUP BY owner, number) AS ignored`,
    key: { ownerUserID: "owner", blackUserID: userID },
    fields: { createTime: "times" },
    also: [{ table: "past.settings", key: { ownerUserID: "owner" } }],
  },
  groupRequests: {
    from: "past.asked",
    key: { ...room, userID },
    where:
      "id = (SELECT min(first.id) FROM past.asked AS first WHERE first.room = asked.room AND first.number = asked.number)",
    fields: {
      reqTime: "at",
      handleResult: "(SELECT result FROM past.decisions d WHERE d.room = asked.room AND d.number = asked.number)",
    },
    also: [
      { table: "past.asked", key: { ...room, userID } },
      { table: "past.decisions", key: { ...room, userID } },
    ],
  },
});

/** The records of the host's rows, as SELECTs that know nothing of the map. */
export const historyRecords: Readonly<Record<string, string>> = {
  users: `(SELECT 'u' || number AS user_id, nickname, level AS app_manger_level FROM past.people
    WHERE number NOT IN (SELECT number FROM past.bans WHERE number IS NOT NULL))`,
  groups: "(SELECT room AS group_id FROM past.rooms)",
  group_members: `(SELECT room AS group_id, 'u' || number AS user_id, level AS role_level, at AS join_time, '' AS nickname
    FROM (SELECT DISTINCT ON (room, number) * FROM past.memberships ORDER BY room, number, position DESC) last
    WHERE membership = 'join' AND room NOT IN (SELECT room FROM past.rooms WHERE is_closed))`,
  blacks: `(SELECT owner AS owner_user_id, 'u' || number AS black_user_id, count(*) AS create_time
    FROM past.settings, jsonb_array_elements_text(ignored) number GROUP BY owner, number)`,
  group_requests: `(SELECT first.room AS group_id, 'u' || first.number AS user_id, at AS req_time, coalesce(result, 0) AS handle_result
    FROM (SELECT DISTINCT ON (room, number) * FROM past.asked ORDER BY room, number, id) first
    LEFT JOIN past.decisions USING (room, number))`,
};

/** Puts the lists over the tables, which must be small enough for the tests. */
export async function makeHistoryHost(pool: pg.Pool): Promise<void> {
  await pool.query(tables);
  await installMap(pool, quoted("im_admin"), historyMap);
}

export const historyWorld = `
  INSERT INTO past.rooms VALUES ('g1'), ('g2'), ('g3');
  INSERT INTO past.people SELECT n, '', 1 FROM generate_series(0, 29) n`;

export const historyGrowth = `
  UPDATE past.rooms SET is_closed = false;
  INSERT INTO past.memberships (room, number, membership) SELECT 'g1', n, 'join' FROM generate_series(100, 160) n`;

/** One statement of the host. It may fail, as a host's statements do. */
export function historyStatement(random: Random): string {
  const any = (below: number) => Math.floor(random() * below);
  const pick = <Item>(items: readonly Item[]) => items[any(items.length)] as Item;
  const number = any(30);
  const group = `'${pick(groupIDs)}'`;
  const time = any(5);
  const many = `generate_series(${any(20)}, ${any(30)}) n`;
  const membership = pick(["'join'", "'join'", "'leave'"]);
  return pick([
    `INSERT INTO past.memberships (room, number, membership, level, at) SELECT ${group}, n, ${membership}, ${pick([20, 60, 100])}, ${time} FROM ${many}`,
    `INSERT INTO past.memberships (room, number, membership) VALUES (${group}, ${number}, ${membership})`,
    `DELETE FROM past.memberships WHERE room = ${group} AND number = ${number}`,
    `DELETE FROM past.memberships WHERE room = ${group} AND at = ${time} AND membership = 'join'`,
    // A server that keeps the last rows of each member alone.
    `DELETE FROM past.memberships o WHERE position < (SELECT max(position) - 20 FROM past.memberships)`,
    `UPDATE past.memberships SET level = ${pick([20, 60, 100])} WHERE room = ${group} AND number = ${number}`,
    `UPDATE past.memberships SET membership = ${membership} WHERE number = ${number} AND at = ${time}`,
    `UPDATE past.memberships SET number = ${number} WHERE room = ${group} AND number = ${any(30)}`,
    `UPDATE past.rooms SET last_post = ${time} WHERE room = ${group}`,
    `UPDATE past.rooms SET is_closed = NOT is_closed WHERE room = ${group}`,
    `UPDATE past.rooms SET is_closed = false`,
    `INSERT INTO past.bans VALUES (${6 + any(24)}, 'spam'), (NULL, NULL)`,
    `DELETE FROM past.bans WHERE number = ${number}`,
    `UPDATE past.bans SET number = ${6 + any(24)} WHERE number = ${number}`,
    `UPDATE past.people SET nickname = '${pick(nicknames)}' WHERE number = ${number}`,
    `UPDATE past.people SET level = ${1 + time}, bio = 'x' WHERE number % 5 = ${time}`,
    `INSERT INTO past.settings VALUES ('u${any(8)}', '[${any(30)}, ${any(30)}, ${number}]') ON CONFLICT (owner) DO UPDATE SET ignored = excluded.ignored`,
    `UPDATE past.settings SET ignored = ignored || '[${number}, ${any(30)}, ${any(30)}]' WHERE owner < 'u${any(8)}'`,
    `UPDATE past.settings SET ignored = ignored - 0`,
    `DELETE FROM past.settings WHERE owner = 'u${any(8)}'`,
    `INSERT INTO past.asked (room, number, at) SELECT ${group}, n, ${time} FROM ${many}`,
    `DELETE FROM past.asked WHERE room = ${group} AND at = ${time}`,
    `DELETE FROM past.asked WHERE number = ${number}`,
    `UPDATE past.asked SET at = ${time} WHERE room = ${group} AND number < ${number}`,
    `INSERT INTO past.decisions SELECT ${group}, n, ${pick([-1, 1, 0])} FROM ${many} ON CONFLICT (room, number) DO UPDATE SET result = excluded.result`,
    `DELETE FROM past.decisions WHERE number = ${number}`,
  ]);
}
