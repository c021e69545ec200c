/** Over a host's tables, records are looked up by the host's own indexes. im-admin makes none there. */
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Statements } from "../../../src/stores/sqlite/database.js";
import { mappedDatabase } from "../../../src/stores/sqlite/map/mapped.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { checkMap } from "../../../src/stores/sqlite/upkeep/installMap.js";
import { type TableMap, tablesSql } from "../../../src/stores/tablesSql.js";
import { openHostFile, openMappedFile, tiny } from "../../helpers/mappedFile.js";

const people = "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT)";
const users = { from: "people", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "3" } } as const;
const members = "CREATE TABLE members (room TEXT, person TEXT, PRIMARY KEY (room, person))";
const groupMembers = { from: "members", key: { groupID: "room", userID: "person" } } as const;

const page = { keyword: "", offset: 0, limit: 9 };

/** A store that runs batches, and the statements that it has run. */
function storeOf(path: string) {
  const ran = new Set<string>();
  const connection = new BetterSqlite3(path, { verbose: (text) => ran.add(String(text)) });
  onTestFinished(() => void connection.close());
  const run = connection.transaction((statements: Statements) =>
    Array.from(statements, ({ text, values }) => {
      const statement = connection.prepare(text);
      if (statement.reader) return statement.all(...values) as never[];
      statement.run(...values);
      return [];
    }),
  );
  const batch = async (statements: Statements) => run.immediate(statements);
  return {
    ran,
    store: createSqlStore(mappedDatabase({ read: batch, write: batch, close: async () => {} }), undefined, tiny),
  };
}

/** The statements of a host with a member "u1" of the group "g1", and what the plans of im-admin's statements scan. */
async function scanned(tables: string, map: TableMap, ids: { user: string; group: string }, writes: string) {
  const { path, host } = await openMappedFile(tables, map, tiny);
  const { ran, store } = storeOf(path);
  host.exec(writes);
  const found = await store.listGroupMembers({ groupID: ids.group, ...page });
  expect(found?.items.map(({ userID }) => userID)).toEqual([ids.user]);
  expect((await store.listGroupMembers({ groupID: ids.group, ...page, keyword: "ann" }))?.total).toBe(1);
  expect((await store.listJoinedGroups({ userID: ids.user, ...page }))?.items).toMatchObject([{ groupID: ids.group }]);
  const requests = { userID: ids.user, ...page };
  await store.listReceivedGroupRequests(requests);
  await store.listReceivedGroupRequests({ ...requests, groupIDs: [ids.group] });
  await store.listNotificationAccounts(page);
  await store.listBlacks({ ownerUserID: ids.user, ...page });
  const conversation = { conversationID: "c", conversationType: 3, userID: "", groupID: ids.group } as const;
  await store.setConversations({ ...conversation, userIDs: [ids.user], fields: {} });
  const tablesOfHost = host
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'im\\_admin%' ESCAPE '\\'")
    .pluck()
    .all();
  const scans = [...ran].flatMap((text) => {
    if (!/^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)/.test(text)) return [];
    const plan = host.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { detail: string }[];
    return plan.filter(({ detail }) => /^SCAN/.test(detail) && tablesOfHost.includes(detail.split(" ")[1]));
  });
  const indexes = host.prepare("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index'").all() as {
    name: string;
    tbl_name: string;
  }[];
  expect(indexes.filter(({ name, tbl_name }) => /^im_admin/.test(name) && tablesOfHost.includes(tbl_name))).toEqual([]);
  return scans.map(({ detail }) => detail);
}

const rooms = { from: "rooms", key: { groupID: "id" } } as const;

const served: Record<string, { tables: string; map: TableMap; writes: string; user: string; group: string }> = {
  "integers, which are texts of IDs": {
    tables: `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE rooms (id INTEGER PRIMARY KEY);
      CREATE TABLE members (room INTEGER, person INTEGER, PRIMARY KEY (room, person))`,
    map: { users, groups: rooms, groupMembers },
    writes: "INSERT INTO people VALUES (7, 'Ann'); INSERT INTO rooms VALUES (1); INSERT INTO members VALUES (1, 7)",
    user: "7",
    group: "1",
  },
  "integers of 19 digits in a column of numbers": {
    tables: `CREATE TABLE people (id NUMERIC PRIMARY KEY, name TEXT); CREATE TABLE rooms (id BIGINT PRIMARY KEY);
      CREATE TABLE members (room BIGINT, person NUMERIC, PRIMARY KEY (room, person))`,
    map: { users, groups: rooms, groupMembers },
    writes: `INSERT INTO people VALUES (9223372036854775807, 'Ann'), (9223372036854775806, 'Bob');
      INSERT INTO rooms VALUES (9007199254740993), (9007199254740992);
      INSERT INTO members VALUES (9007199254740993, 9223372036854775807), (9007199254740992, 9223372036854775806)`,
    user: "9223372036854775807",
    group: "9007199254740993",
  },
  "columns that ignore the case or spaces at the end": {
    tables: `CREATE TABLE people (id TEXT COLLATE NOCASE PRIMARY KEY, name TEXT); CREATE TABLE rooms (id TEXT COLLATE RTRIM PRIMARY KEY);
      CREATE TABLE members (room TEXT COLLATE NOCASE, person TEXT, UNIQUE (person, room))`,
    map: { users, groups: rooms, groupMembers },
    writes:
      "INSERT INTO people VALUES ('Ann', 'Ann'); INSERT INTO rooms VALUES ('G '); INSERT INTO members VALUES ('G ', 'Ann')",
    user: "Ann",
    group: "G ",
  },
  "tables without rowid, and indexes in the other direction": {
    tables: `CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID; CREATE TABLE rooms (id TEXT);
      CREATE INDEX of_rooms ON rooms (id DESC);
      CREATE TABLE members (room TEXT, person TEXT, at INTEGER); CREATE INDEX seats ON members (person DESC, room, at)`,
    map: { users, groups: rooms, groupMembers },
    writes:
      "INSERT INTO people VALUES ('u', 'Ann'); INSERT INTO rooms VALUES ('g'); INSERT INTO members VALUES ('g', 'u', 1)",
    user: "u",
    group: "g",
  },
  "keys of several columns": {
    tables: `CREATE TABLE people (tenant TEXT, id INTEGER, name TEXT, PRIMARY KEY (tenant, id));
      CREATE TABLE rooms (tenant TEXT, kind TEXT, id TEXT, PRIMARY KEY (id, kind, tenant));
      CREATE TABLE members (tenant TEXT, kind TEXT, room TEXT, person INTEGER, PRIMARY KEY (tenant, kind, room, person))`,
    map: {
      users: { ...users, key: { userID: ["tenant", "id"] } },
      groups: { from: "rooms", key: { groupID: ["tenant", "kind", "id"] } },
      groupMembers: { from: "members", key: { groupID: ["tenant", "kind", "room"], userID: ["tenant", "person"] } },
    },
    writes: `INSERT INTO people VALUES ('a', 7, 'Ann'); INSERT INTO rooms VALUES ('a', 'k', 'g:1'), ('b', 'k', 'g:1');
      INSERT INTO members VALUES ('a', 'k', 'g:1', 7), ('b', 'k', 'g:1', 7)`,
    user: "a:7",
    group: "a:k:g:1",
  },
  "expressions that join texts and columns": {
    tables: `CREATE TABLE people (name TEXT, server TEXT, PRIMARY KEY (server, name)); CREATE TABLE rooms (id BLOB PRIMARY KEY);
      CREATE TABLE members (room BLOB, person TEXT, PRIMARY KEY (person, room))`,
    map: {
      users: { ...users, key: { userID: { sql: "'@' || people.name || ':' || \"server\"" } } },
      groups: { from: "rooms", key: { groupID: { sql: "'!' || lower(hex(id)) || '!''王'" } } },
      groupMembers: {
        from: "members",
        key: { groupID: { sql: "'!'||lower( hex(room) )||'!''王'" }, userID: { sql: "'@' || person || ':x.org'" } },
      },
    },
    writes: `INSERT INTO people VALUES ('Ann', 'x.org'); INSERT INTO rooms VALUES (x'00FF');
      INSERT INTO members VALUES (x'00FF', 'Ann')`,
    user: "@Ann:x.org",
    group: "!00ff!'王",
  },
  "an expression with an index of the host": {
    tables: `CREATE TABLE people (name TEXT); CREATE INDEX of_people ON people (CAST((upper("name")) AS TEXT) COLLATE BINARY);
      CREATE TABLE rooms (id TEXT PRIMARY KEY); ${members}`,
    map: { users: { ...users, key: { userID: { sql: "upper(name)" } } }, groups: rooms, groupMembers },
    writes:
      "INSERT INTO people VALUES ('Ann'); INSERT INTO rooms VALUES ('g'); INSERT INTO members VALUES ('g', 'ANN')",
    user: "ANN",
    group: "g",
  },
  "a generated column": {
    tables: `CREATE TABLE people (data TEXT, name TEXT, id TEXT AS (data ->> 'id') UNIQUE); CREATE TABLE rooms (id TEXT PRIMARY KEY); ${members}`,
    map: { users, groups: rooms, groupMembers },
    writes: `INSERT INTO people VALUES ('{"id": "u"}', 'Ann'); INSERT INTO rooms VALUES ('g'); INSERT INTO members VALUES ('g', 'u')`,
    user: "u",
    group: "g",
  },
  "queries over several tables, and over a view": {
    tables: `${people}; CREATE TABLE rooms (id TEXT PRIMARY KEY);
      CREATE VIEW open_rooms AS SELECT id AS room_id FROM rooms;
      CREATE TABLE seats (id INTEGER PRIMARY KEY, room TEXT, owner INTEGER); CREATE INDEX of_seats ON seats (room, owner);
      CREATE TABLE accounts (id INTEGER PRIMARY KEY, person TEXT UNIQUE)`,
    map: {
      users: {
        ...users,
        from: "(SELECT id, name FROM people) AS people",
        also: [{ table: "people", key: { userID: "id" } }],
      },
      groups: {
        from: "(SELECT * FROM open_rooms) AS rooms",
        key: { groupID: "room_id" },
        also: [{ table: "rooms", key: { groupID: "id" } }],
      },
      groupMembers: {
        from: "(SELECT room, person FROM seats JOIN accounts ON accounts.id = seats.owner) AS members",
        key: groupMembers.key,
        also: [
          { table: "seats", key: { groupID: "room" } },
          { table: "accounts", key: { userID: "person" } },
        ],
      },
    },
    writes: `INSERT INTO people VALUES ('u', 'Ann'); INSERT INTO rooms VALUES ('g');
      INSERT INTO accounts VALUES (1, 'u'); INSERT INTO seats VALUES (1, 'g', 1)`,
    user: "u",
    group: "g",
  },
};

it.each(Object.entries(served))(
  "reads no table of a host as a whole: %s",
  async (_, { tables, map, writes, ...ids }) => {
    expect(await scanned(tables, map, ids, writes)).toEqual([]);
  },
);

const refused: Record<string, { tables: string; map: TableMap; index: string; problem?: string }> = {
  "no index": {
    tables: "CREATE TABLE people (id TEXT, name TEXT)",
    map: { users },
    index: 'CREATE INDEX "people_id" ON people ("id")',
  },
  "an index on some rows alone": {
    tables:
      "CREATE TABLE people (id TEXT, name TEXT); CREATE UNIQUE INDEX of_people ON people (id) WHERE name IS NOT NULL",
    map: { users },
    index: 'CREATE INDEX "people_id" ON people ("id")',
  },
  "an index that begins with another column": {
    tables: "CREATE TABLE people (id TEXT, name TEXT); CREATE INDEX of_people ON people (name, id)",
    map: { users },
    index: 'CREATE INDEX "people_id" ON people ("id")',
  },
  "an index for one part of the key": {
    tables: "CREATE TABLE members (room TEXT, person TEXT); CREATE INDEX seats ON members (room)",
    map: { groupMembers },
    index: 'CREATE INDEX "members_room_person" ON members ("room", "person")',
    problem: "groupMembers: no index of members begins with groupID and userID, so each change reads all its rows",
  },
  "no index for the part that a second table names": {
    tables: `${members}; CREATE TABLE gone (id TEXT PRIMARY KEY)`,
    map: {
      groupMembers: {
        ...groupMembers,
        where: "person NOT IN (SELECT id FROM gone)",
        also: [{ table: "gone", key: { userID: "id" } }],
      },
    },
    index: 'CREATE INDEX "members_person" ON members ("person")',
  },
  "an expression of which SQLite cannot tell the columns": {
    tables: people,
    map: { users: { ...users, key: { userID: { sql: "upper(people.id)" } } } },
    index: 'CREATE INDEX "people_id" ON people (CAST((upper("id")) AS TEXT) COLLATE BINARY)',
  },
  "names with spaces": {
    tables: 'CREATE TABLE "the people" ("the id" TEXT, name TEXT)',
    map: { users: { ...users, from: '"the people"', key: { userID: "the id" } } },
    index: 'CREATE INDEX "the people_the_id" ON "the people" ("the id")',
  },
};

describe.each(Object.entries(refused))("refuses %s", (_, { tables, map, index, problem }) => {
  it("and names the index to create", async () => {
    const { host, install, database } = openHostFile(tables);
    await expect(install(map)).rejects.toThrow(`, so each change reads all its rows: ${index}`);
    if (problem !== undefined) await expect(install(map)).rejects.toThrow(`${problem}: ${index}`);
    host.exec(index);
    await install(map);
    expect(await checkMap(database)).toEqual([]);
  });

  it("where a host's migration installs the map", () => {
    const { host } = openHostFile(tables);
    const { install, check } = tablesSql(map, { engine: "sqlite" });
    expect(() => host.exec(`BEGIN; ${install.join("\n")}`)).toThrow(`, so each change reads all its rows: ${index}`);
    host.exec(`ROLLBACK; ${index}; BEGIN; ${install.join("\n")} COMMIT`);
    expect(check.flatMap((statement) => host.prepare(statement).all())).toEqual([]);
  });
});

it("refuses an index of another collation, and one without the column of latest", async () => {
  const other = openHostFile(
    "CREATE TABLE people (id TEXT COLLATE NOCASE, name TEXT); CREATE INDEX p ON people (id COLLATE BINARY)",
  );
  const index = 'CREATE INDEX "people_id" ON people ("id")';
  await expect(other.install({ users })).rejects.toThrow(index);
  other.host.exec(index);
  await other.install({ users });

  const map = { groupMembers: { ...groupMembers, latest: "pos", where: "kind = 'join'", unique: ["pos"] } };
  const latest = openHostFile(
    "CREATE TABLE members (room TEXT, person TEXT, pos INTEGER, kind TEXT); CREATE INDEX m ON members (room, person)",
  );
  const wider = 'CREATE INDEX "members_room_person_pos" ON members ("room", "person", "pos")';
  await expect(latest.install(map)).rejects.toThrow(wider);
  latest.host.exec(wider);
  await latest.install(map);
});

it("goes on, and says so, when the host drops its index", async () => {
  const { host, store, database } = await openMappedFile(
    `CREATE TABLE people (id TEXT, name TEXT); CREATE INDEX of_people ON people (id)`,
    { users },
  );
  expect(await checkMap(database)).toEqual([]);
  host.exec("DROP INDEX of_people; INSERT INTO people VALUES ('a', 'Ann')");
  expect(await store.listNotificationAccounts(page)).toMatchObject({ total: 1, items: [{ userID: "a" }] });
  const problem = "users: no index of people begins with userID, so each change reads all its rows";
  const index = 'CREATE INDEX "people_id" ON people ("id")';
  expect(await checkMap(database)).toEqual([{ kind: "unmendable", problem, count: 1, advice: `run ${index}` }]);
  const { check } = tablesSql({ users }, { engine: "sqlite" });
  const found = check.flatMap((statement) => host.prepare(statement).all());
  expect(found).toEqual([{ kind: "unmendable", problem: `${problem}: ${index}`, count: 1, example: null }]);
});

it("says which tables a query reads as a whole", async () => {
  const { database } = await openMappedFile(`${people}; CREATE TABLE bots (id TEXT PRIMARY KEY, name TEXT)`, {
    users: {
      ...users,
      from: "(SELECT * FROM people UNION ALL SELECT * FROM bots) AS people",
      also: [
        { table: "people", key: { userID: "id" } },
        { table: "bots", key: { userID: "id" } },
      ],
    },
  });
  expect(await checkMap(database)).toEqual([
    { kind: "note", problem: "users: each change reads all rows of people", count: 1 },
    { kind: "note", problem: "users: each change reads all rows of bots", count: 1 },
  ]);
});

it("takes no text for a number that is another ID, and lists no row that its ID does not find", async () => {
  const { host, store, database } = await openMappedFile(
    `CREATE TABLE people (id INTEGER, name TEXT); CREATE INDEX of_people ON people (id);
      CREATE TABLE plain (id, name TEXT); CREATE INDEX of_plain ON plain (id);
      CREATE TABLE members (room TEXT, person TEXT, PRIMARY KEY (room, person))`,
    { users, groups: { from: "plain", key: { groupID: "id" } }, groupMembers },
  );
  host.exec(`INSERT INTO people VALUES (7, 'Seven'), ('x', 'X'), (1000, 'Thousand'), (x'61', 'Bytes');
    INSERT INTO plain VALUES (1, 'one'), ('1', 'text'), ('g', 'group'), (x'67', 'bytes'), (2.5, 'fraction');
    INSERT INTO members VALUES ('g', '7'), ('g', '007'), ('g', '1e3'), ('g', ' 7'), ('g', '7.0'), ('g', 'x')`);
  const shown = (await store.listGroupMembers({ groupID: "g", ...page }))?.items;
  expect(shown?.map(({ userID, nickname }) => [userID, nickname])).toEqual([
    [" 7", ""],
    ["007", ""],
    ["1e3", ""],
    ["7", "Seven"],
    ["7.0", ""],
    ["x", "X"],
  ]);
  for (const userID of ["007", " 7", "7.0", "1e3", "X"]) {
    expect(await store.listJoinedGroups({ userID, ...page })).toBeUndefined();
  }
  expect(await store.listNotificationAccounts(page)).toMatchObject({
    total: 3,
    items: [{ userID: "1000" }, { userID: "7" }, { userID: "x" }],
  });
  const otherType = (field: string) => `${field} has a value of another type than its column`;
  expect((await checkMap(database)).map(({ kind, problem, count }) => [kind, problem, count])).toEqual([
    ["note", `rows of people are not listed: ${otherType("userID")}`, 1],
    ["note", `rows of plain are not listed: ${otherType("groupID")}`, 3],
  ]);
});
