/**
 * A host writes tables that keep earlier rows, arrays and IDs in parts, in random statements. The lists are compared with
 * what the host's own SQL says.
 */
import { expect, it } from "vitest";
import type { Page } from "../../../src/pagination.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/sqlite/upkeep/repair.js";
import { defineTables } from "../../../src/stores/tablesSql.js";
import { type Random, randomOf, rounds, seed } from "../../helpers/chance.js";
import { openMappedFile, tiny } from "../../helpers/mappedFile.js";
import { openSqliteDatabase } from "../../helpers/stores.js";

const tables = `
  CREATE TABLE accounts (localpart TEXT, server TEXT, kind INTEGER, PRIMARY KEY (localpart, server));
  CREATE TABLE rooms (id INTEGER PRIMARY KEY, archived INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE memberships (pos INTEGER PRIMARY KEY, room INTEGER, member TEXT, kind TEXT, shown TEXT);
  CREATE TABLE powers (room INTEGER, member TEXT, level INTEGER, PRIMARY KEY (room, member));
  CREATE TABLE account_data (member TEXT PRIMARY KEY, ignored TEXT);
  CREATE TABLE banned (member TEXT PRIMARY KEY);
  CREATE TABLE knocks (id INTEGER PRIMARY KEY, room INTEGER, member TEXT, at INTEGER, state INTEGER);
  CREATE VIEW levels AS SELECT room AS room_id, member AS member_id, level FROM powers WHERE level > 0;
  CREATE INDEX memberships_latest ON memberships (room, member, pos);
  CREATE INDEX knocks_of_room ON knocks (room, member);
  INSERT INTO rooms (id) VALUES (0), (1), (2)`;

const ownKey = { groupID: "room", userID: "member" } as const;

const map = defineTables({
  users: {
    from: "accounts",
    key: { userID: { sql: "'@' || localpart || ':' || server" } },
    fields: { appMangerLevel: "kind" },
  },
  groups: { from: "rooms", key: { groupID: "id" } },
  groupMembers: {
    from: "memberships",
    key: ownKey,
    latest: "pos",
    where: "kind = 'join' AND NOT (SELECT archived FROM rooms WHERE id = room)",
    unique: ["pos"],
    fields: {
      roleLevel: "coalesce((SELECT level FROM levels WHERE room_id = room AND member_id = member), 20)",
      joinTime: "pos",
      nickname: "shown",
    },
    also: [
      { table: "rooms", key: { groupID: "id" } },
      { table: "powers", key: ownKey },
    ],
  },
  blacks: {
    from: `(SELECT data.member, entry.value AS other, entry.id AS place
      FROM account_data data, json_each(data.ignored) entry) AS ignored`,
    key: { ownerUserID: "member", blackUserID: "other" },
    where: "other NOT IN (SELECT member FROM banned)",
    fields: { createTime: "place" },
    also: [
      { table: "account_data", key: { ownerUserID: "member" } },
      { table: "banned", key: { blackUserID: "member" } },
    ],
  },
  groupRequests: {
    from: "knocks",
    key: ownKey,
    unique: ["id"],
    where: `NOT EXISTS (SELECT 1 FROM knocks later WHERE later.room = knocks.room AND later.member = knocks.member
      AND (later.at, later.id) > (knocks.at, knocks.id))`,
    fields: {
      reqTime: "at",
      handleResult:
        "CASE WHEN (SELECT count(*) FROM knocks other WHERE other.room = knocks.room AND state = 9) THEN 1 ELSE 0 END",
    },
    also: [{ table: "knocks", key: { groupID: "room" } }],
  },
});

const joined = `
  SELECT room, member, pos, shown, coalesce(nullif(max(level, 0), 0), 20) AS role FROM (
      SELECT *, row_number() OVER (PARTITION BY room, member ORDER BY pos DESC) AS age FROM memberships
    ) LEFT JOIN powers USING (room, member) JOIN rooms ON rooms.id = room AND archived = 0
    WHERE age = 1 AND kind = 'join' AND member <> ''`;

/** The entries that each list must have, in order. */
const right = {
  members: `SELECT room AS owner, member AS id FROM (${joined}) ORDER BY role DESC, pos, member`,
  searched: `SELECT room AS owner, member AS id FROM (${joined}) WHERE shown LIKE '%an%' ORDER BY role DESC, pos, member`,
  joined: `SELECT member AS owner, room AS id FROM (${joined}) ORDER BY pos DESC`,
  blacks: `SELECT member AS owner, value AS id FROM account_data, json_each(ignored) entry
    WHERE value NOT IN (SELECT member FROM banned) ORDER BY entry.id DESC, value`,
  requests: `SELECT manager.member AS owner, room || ' ' || latest.member || ' ' || EXISTS (
        SELECT 1 FROM knocks own WHERE own.room = latest.room AND state = 9) AS id
    FROM (SELECT *, row_number() OVER (PARTITION BY room, member ORDER BY at DESC, id DESC) AS age FROM knocks) latest
      JOIN (${joined}) manager USING (room)
    WHERE age = 1 AND manager.role IN (60, 100) AND latest.member <> '' ORDER BY at DESC, room, latest.member`,
  accounts: "SELECT '' AS owner, '@' || localpart || ':' || server AS id FROM accounts WHERE kind >= 3 ORDER BY 2",
} as const;

function statement(random: Random): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const number = (most: number) => Math.floor(random() * most);
  const member = () => `'@${pick("abcdefgh".split(""))}:${pick(["x", "y"])}'`;
  const local = `'${pick("abcdefgh".split(""))}', '${pick(["x", "y"])}'`;
  const kind = pick(["'join'", "'join'", "'leave'", "NULL"]);
  const shown = pick(["'Ann'", "'Hans 王'", "NULL", "'Bob'"]);
  const or = pick(["", "OR REPLACE", "OR IGNORE"]);
  const room = number(3);
  const ignored = () =>
    JSON.stringify([...new Set([member(), member(), member()])].slice(number(4)).map((id) => id.slice(1, -1)));
  return pick([
    `INSERT INTO memberships (room, member, kind, shown) VALUES (${room}, ${member()}, ${kind}, ${shown}), (${room}, ${member()}, ${kind}, ${shown})`,
    `INSERT ${or} INTO memberships VALUES (${number(60)}, ${room}, ${member()}, ${kind}, ${shown})`,
    `UPDATE ${or} memberships SET pos = ${number(60)} WHERE pos = ${number(60)}`,
    `UPDATE memberships SET kind = ${kind}, shown = ${shown} WHERE member = ${member()} AND pos % 2`,
    `UPDATE memberships SET member = ${member()}, room = ${room} WHERE pos % 7 = ${number(7)}`,
    `DELETE FROM memberships WHERE (room, member) IN (VALUES (0, ${member()}), (1, ${member()})) AND pos > ${number(60)}`,
    `DELETE FROM memberships WHERE pos % 5 = ${number(5)}`,
    `UPDATE rooms SET archived = NOT archived WHERE id = ${room}`,
    `INSERT ${or} INTO powers VALUES (${room}, ${member()}, ${pick([0, 60, 100])})`,
    `UPDATE OR REPLACE powers SET member = ${member()}, level = 60 WHERE room = ${room} AND level < 70`,
    `DELETE FROM powers WHERE room = ${room}`,
    `INSERT ${or} INTO account_data VALUES (${member()}, '${ignored()}')`,
    `UPDATE OR REPLACE account_data SET member = ${member()}, ignored = '${ignored()}' WHERE member < ${member()}`,
    `DELETE FROM account_data WHERE member = ${member()}`,
    `INSERT ${or} INTO banned VALUES (${member()})`,
    `UPDATE OR REPLACE banned SET member = ${member()}`,
    "DELETE FROM banned",
    `INSERT ${or} INTO knocks VALUES (${number(30)}, ${room}, ${member()}, ${number(4)}, ${number(10)})`,
    `UPDATE ${or} knocks SET id = id + ${number(3)}, at = ${number(4)} WHERE id % 4 = ${number(4)}`,
    `UPDATE knocks SET state = ${pick([0, 9])}, room = ${room} WHERE member = ${member()}`,
    `DELETE FROM knocks WHERE id % 3 = ${number(3)}`,
    `INSERT ${or} INTO accounts VALUES (${local}, ${number(5)})`,
    `UPDATE ${or} accounts SET server = 'z', kind = ${number(5)} WHERE (localpart, server) = (${local})`,
    "BEGIN; UPDATE memberships SET room = 1; DELETE FROM knocks; ROLLBACK",
  ]);
}

/** What a page shows, and its total. */
function idsOf<Item>(page: Page<Item> | undefined, idOf: (item: Item) => string): string[] | undefined {
  return page && [String(page.total), ...page.items.map(idOf)];
}

type Opened = Awaited<ReturnType<typeof openMappedFile>>;

async function differences({ path, host, store }: Opened): Promise<unknown[]> {
  const range = { offset: 0, limit: 1000 };
  const answers: Record<keyof typeof right, (owner: string) => Promise<string[] | undefined>> = {
    members: async (groupID) =>
      idsOf(await store.listGroupMembers({ groupID, keyword: "", ...range }), ({ userID }) => userID),
    searched: async (groupID) =>
      idsOf(await store.listGroupMembers({ groupID, keyword: "AN", ...range }), ({ userID }) => userID),
    joined: async (userID) => idsOf(await store.listJoinedGroups({ userID, ...range }), ({ groupID }) => groupID),
    blacks: async (ownerUserID) =>
      idsOf(await store.listBlacks({ ownerUserID, ...range }), ({ blackUserInfo }) => blackUserInfo.userID),
    requests: async (userID) =>
      idsOf(
        await store.listReceivedGroupRequests({ userID, ...range }),
        ({ groupInfo, userInfo, handleResult }) => `${groupInfo.groupID} ${userInfo.userID} ${handleResult}`,
      ),
    accounts: async () =>
      idsOf(await store.listNotificationAccounts({ keyword: "", ...range }), ({ userID }) => userID),
  };
  const users = host.prepare("SELECT '@' || localpart || ':' || server FROM accounts").pluck().all() as string[];
  const owners = {
    members: ["0", "1", "2"],
    searched: ["0", "1", "2"],
    joined: users,
    blacks: users,
    requests: users,
    accounts: [""],
  };
  const problems: unknown[] = [];
  for (const [list, answer] of Object.entries(answers) as [keyof typeof right, (typeof answers)["joined"]][]) {
    const rows = host.prepare(right[list]).all() as { owner: unknown; id: unknown }[];
    for (const owner of owners[list]) {
      const ids = rows.filter((row) => String(row.owner) === owner).map(({ id }) => String(id));
      const expected = [String(ids.length), ...ids];
      const answered = await answer(owner);
      if (JSON.stringify(answered) !== JSON.stringify(expected)) problems.push([list, owner, answered, expected]);
    }
  }
  const checked = openSqliteDatabase({ path });
  for (const finding of await checkLists(checked, tiny)) if (finding.kind !== "note") problems.push(finding);
  await checked.close();
  return problems;
}

it.each(["off", "on"])("answers as the host's SQL does, with recursive_triggers %s", async (recursive) => {
  for (let round = 0; round < rounds(8); round += 1) {
    const random = randomOf(seed * 1000 + round);
    const opened = await openMappedFile(tables, map, tiny);
    opened.host.pragma(`recursive_triggers = ${recursive}`);
    const done: string[] = [];
    for (let step = 0; step < 300; step += 1) {
      const written = statement(random);
      try {
        opened.host.exec(written);
        done.push(written);
      } catch (error) {
        expect(String(error)).toMatch(/constraint failed/);
      }
      if (random() > 0.07) continue;
      const found = await differences(opened);
      expect([found, found.length > 0 ? done.slice(-20) : []]).toEqual([[], []]);
    }
    await repairLists(opened.database, tiny);
    expect(await differences(opened)).toEqual([]);
  }
});
