/** Keys that are expressions, the latest rows of a key, and records from queries. */
import { expect, it } from "vitest";
import { checkMap } from "../../../src/stores/sqlite/upkeep/installMap.js";
import type { TableMap } from "../../../src/stores/tablesSql.js";
import { openMappedFile } from "../../helpers/mappedFile.js";

const page = { keyword: "", offset: 0, limit: 9 };

/** The statements of a host, each with what a list answers then. */
async function follow(tables: string, map: TableMap, owner: string, steps: readonly (readonly [string, string[]])[]) {
  const opened = await openMappedFile(tables, map);
  const { host, store } = opened;
  const answers = [];
  for (const [statement] of steps) {
    host.exec(statement);
    const found =
      map.blacks === undefined
        ? await store.listGroupMembers({ groupID: owner, ...page })
        : await store.listBlacks({ ownerUserID: owner, ...page });
    expect([statement, found?.total]).toEqual([statement, found?.items.length]);
    answers.push([
      statement,
      found?.items.map((item) => ("userID" in item ? `${item.userID} ${item.nickname}` : item.blackUserInfo.userID)),
    ]);
  }
  expect(answers).toEqual(steps);
  expect(await checkMap(opened.database)).toEqual([]);
  return opened;
}

it("finds records by a key that is an expression", async () => {
  const person = { sql: `'@' || "name" || ':' || host.server` };
  await follow(
    `CREATE TABLE host ("name" TEXT, server TEXT, "group" TEXT, nick TEXT, PRIMARY KEY (server, name));
      CREATE INDEX host_group ON host ("group", name, server);
      CREATE TABLE looks (localpart TEXT PRIMARY KEY, look TEXT)`,
    {
      users: {
        from: "host",
        key: { userID: person },
        unique: [["server", "name"]],
        fields: { nickname: "(SELECT look FROM looks WHERE localpart = name)" },
        also: [{ table: "looks", key: { userID: { sql: "'@' || localpart || ':' || 'x.org'" } } }],
      },
      groups: { from: "host", key: { groupID: "group" }, where: "name = 'a'", unique: [["name", "server"]] },
      groupMembers: { from: "host", key: { groupID: "group", userID: person }, unique: [["name", "server"]] },
    },
    "g",
    [
      ["INSERT INTO host VALUES ('a', 'x.org', 'g', NULL), ('b', 'x.org', 'g', NULL)", ["@a:x.org ", "@b:x.org "]],
      ["INSERT INTO looks VALUES ('a', 'Ann')", ["@a:x.org Ann", "@b:x.org "]],
      ["UPDATE host SET server = 'y.org' WHERE name = 'b'", ["@a:x.org Ann", "@b:y.org "]],
      ["UPDATE looks SET localpart = 'b'; UPDATE host SET name = 'c' WHERE name = 'b'", ["@a:x.org ", "@c:y.org "]],
      ["DELETE FROM host WHERE server = 'y.org'", ["@a:x.org "]],
    ],
  );
});

const memberships = `
  CREATE TABLE memberships (pos INTEGER PRIMARY KEY, room TEXT, person TEXT, kind TEXT, note TEXT);
  CREATE INDEX memberships_of_room ON memberships (room, person);
  CREATE TABLE rooms (id TEXT PRIMARY KEY);
  INSERT INTO rooms VALUES ('g')`;

const groups = { from: "rooms", key: { groupID: "id" } } as const;

it("counts only the latest row of a key", async () => {
  const groupMembers = {
    from: "memberships",
    key: { groupID: "room", userID: "person" },
    latest: "pos",
    unique: ["pos"],
    where: "kind = 'join'",
  };
  const { host } = await follow(memberships, { groups, groupMembers }, "g", [
    [
      "INSERT INTO memberships (pos, room, person, kind) VALUES (1, 'g', 'a', 'join'), (2, 'g', 'a', 'leave'), (3, 'g', 'b', 'join')",
      ["b "],
    ],
    ["INSERT INTO memberships (pos, room, person, kind) VALUES (4, 'g', 'a', 'join')", ["a ", "b "]],
    ["DELETE FROM memberships WHERE pos IN (4, 3)", []],
    ["UPDATE memberships SET pos = 9 WHERE pos = 1", ["a "]],
    ["UPDATE memberships SET kind = 'join'", ["a "]],
    ["UPDATE memberships SET person = 'b' WHERE pos = 9", ["a ", "b "]],
    ["REPLACE INTO memberships (pos, room, person, kind) VALUES (9, 'h', 'b', 'join')", ["a "]],
  ]);
  const triggers = () => host.prepare("EXPLAIN UPDATE memberships SET note = 'x'").all();
  expect(triggers().filter((row) => (row as { opcode: string }).opcode === "Program")).toEqual([]);
});

it("judges the rows of a key together where a condition compares them", async () => {
  const groupMembers = {
    from: "memberships",
    key: { groupID: "room", userID: "person" },
    where: `kind = 'join' AND pos = (SELECT max(pos) FROM memberships other
      WHERE other.room = memberships.room AND other.person = memberships.person)`,
    unique: ["pos"],
    also: [{ table: "memberships", key: { groupID: "room", userID: "person" } }],
  };
  await follow(memberships, { groups, groupMembers }, "g", [
    [
      "INSERT INTO memberships (pos, room, person, kind) VALUES (1, 'g', 'a', 'join'), (2, 'g', 'a', 'leave'), (3, 'g', 'b', 'join')",
      ["b "],
    ],
    ["DELETE FROM memberships WHERE person = 'a' AND kind = 'leave' OR person = 'b'", ["a "]],
    [
      "INSERT INTO memberships (pos, room, person, kind) VALUES (8, 'g', 'a', 'leave'); DELETE FROM memberships WHERE pos = 8",
      ["a "],
    ],
  ]);
});

it("follows a table that one text names, and another reads through a view", async () => {
  const groupMembers = {
    from: "seats",
    key: { groupID: "room", userID: "person" },
    where: "person IN (SELECT id FROM present)",
    fields: { nickname: "(SELECT name FROM people WHERE id = person)" },
    also: [{ table: "people", key: { userID: "id" } }],
  };
  const tables = `CREATE TABLE seats (room TEXT, person TEXT, PRIMARY KEY (person, room));
    CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, gone INTEGER);
    CREATE VIEW present AS SELECT id FROM people WHERE gone = 0;
    CREATE TABLE rooms (id TEXT PRIMARY KEY);
    INSERT INTO rooms VALUES ('g')`;
  await follow(tables, { groups, groupMembers }, "g", [
    [
      "INSERT INTO people VALUES ('a', 'Ann', 0), ('b', 'Bob', 0); INSERT INTO seats VALUES ('g', 'a'), ('g', 'b')",
      ["a Ann", "b Bob"],
    ],
    ["UPDATE people SET gone = 1 WHERE id = 'a'", ["b Bob"]],
    ["UPDATE people SET name = 'Bo'", ["b Bo"]],
  ]);
});

it("tells that a view reads another table now", async () => {
  const groupMembers = {
    from: "seats",
    key: { groupID: "room", userID: "person" },
    where: "person IN (SELECT id FROM present)",
    also: [{ table: "people", key: { userID: "id" } }],
  };
  const tables = `CREATE TABLE seats (room TEXT, person TEXT, PRIMARY KEY (person, room));
    CREATE TABLE people (id TEXT PRIMARY KEY, gone INTEGER);
    CREATE VIEW present AS SELECT id FROM people WHERE gone = 0`;
  const { host, database } = await openMappedFile(tables, { groupMembers });
  expect(await checkMap(database)).toEqual([]);
  host.exec("DROP VIEW present; CREATE VIEW present AS SELECT person AS id FROM seats");
  expect(await checkMap(database)).toMatchObject([
    {
      kind: "unmendable",
      problem:
        "the map does not fit its tables: groupMembers.where reads other rows of seats: name it in also, so that im-admin notices their writes, or name the column that grows in latest",
    },
  ]);
});

it("follows other rows of a table from which a REPLACE by a unique column deletes", async () => {
  const groupMembers = {
    from: "seats",
    key: { groupID: "room", userID: "person" },
    where: "NOT EXISTS (SELECT 1 FROM seats other WHERE other.room = seats.room AND other.person = 'closed')",
    unique: ["id"],
    also: [{ table: "seats", key: { groupID: "room" } }],
  };
  const tables = `CREATE TABLE seats (id INTEGER PRIMARY KEY, room TEXT, person TEXT, UNIQUE (room, person));
    CREATE TABLE rooms (id TEXT PRIMARY KEY);
    INSERT INTO rooms VALUES ('g')`;
  await follow(tables, { groups, groupMembers }, "g", [
    ["INSERT INTO seats VALUES (1, 'g', 'a'), (2, 'g', 'b')", ["a ", "b "]],
    ["INSERT INTO seats VALUES (3, 'g', 'closed')", []],
    ["REPLACE INTO seats VALUES (3, 'h', 'x')", ["a ", "b "]],
  ]);
});

it("reads several records of a row by a query", async () => {
  const blacks = {
    from: `(SELECT settings.person AS owner, ignored.value AS other
      FROM settings, json_each(settings.ignored) AS ignored WHERE settings.kind = 'ignored') AS ignored`,
    key: { ownerUserID: "owner", blackUserID: "other" },
    also: [{ table: "settings", key: { ownerUserID: "person" } }],
  };
  const users = { from: "settings", key: { userID: "person" } };
  const tables = "CREATE TABLE settings (person TEXT PRIMARY KEY, kind TEXT, ignored TEXT, read INTEGER)";
  const { host } = await follow(tables, { users, blacks }, "a", [
    [`INSERT INTO settings VALUES ('a', 'ignored', '["c", "b"]', 0), ('b', 'ignored', '["a"]', 0)`, ["b", "c"]],
    [`UPDATE settings SET ignored = '["d", "c"]' WHERE person = 'a'`, ["c", "d"]],
    ["UPDATE settings SET kind = 'other'", []],
    ["UPDATE settings SET kind = 'ignored'; DELETE FROM settings WHERE person = 'b'", ["c", "d"]],
    [`INSERT OR REPLACE INTO settings VALUES ('a', 'ignored', '["e"]', 0)`, ["e"]],
  ]);
  host.exec("UPDATE settings SET read = 1");
  expect(host.prepare("SELECT count(*) FROM im_admin_changed").pluck().get()).toBe(0);
});

it("joins the owner of a record by a query", async () => {
  const groupMembers = {
    from: "(SELECT room, account.mxid FROM seats JOIN account ON account.id = seats.account_id) AS members",
    key: { groupID: "room", userID: "mxid" },
    also: [
      { table: "seats", key: { groupID: "room" } },
      { table: "account", key: { userID: "mxid" } },
    ],
  };
  const tables = `CREATE TABLE account (id INTEGER PRIMARY KEY, mxid TEXT UNIQUE);
    CREATE TABLE seats (room TEXT, account_id INTEGER, PRIMARY KEY (room, account_id));
    CREATE INDEX seats_of_account ON seats (account_id);
    CREATE TABLE rooms (id TEXT PRIMARY KEY);
    INSERT INTO rooms VALUES ('g')`;
  await follow(tables, { groups, groupMembers }, "g", [
    ["INSERT INTO seats VALUES ('g', 1), ('g', 2); INSERT INTO account VALUES (1, '@a')", ["@a "]],
    ["INSERT INTO account VALUES (2, '@b')", ["@a ", "@b "]],
    ["UPDATE account SET mxid = '@c' WHERE id = 1", ["@b ", "@c "]],
    ["DELETE FROM seats WHERE account_id = 2", ["@c "]],
  ]);
});
