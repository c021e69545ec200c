/** Changes of a host's tables that are hard to notice. */
import { expect, it } from "vitest";
import { checkMap } from "../../../src/stores/sqlite/upkeep/installMap.js";
import type { TableMap } from "../../../src/tables/map.js";
import { openMappedFile, tiny } from "../../helpers/mappedFile.js";

async function openHost(tables: string, users: NonNullable<TableMap["users"]>) {
  const { host, database, store } = await openMappedFile(tables, { users });
  const accounts = async () => {
    const { total, items } = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 99 });
    return [total, ...items.map(({ userID }) => userID)];
  };
  return { host, database, accounts };
}

const key = { userID: "id" };

it("notices columns with names of any script", async () => {
  const { host, accounts } = await openHost("CREATE TABLE people (id TEXT PRIMARY KEY, स्तर INTEGER, 😀 INTEGER)", {
    from: "people",
    key,
    where: "😀 = 1",
    fields: { appMangerLevel: "स्तर" },
  });
  host.exec("INSERT INTO people VALUES ('ann', 2, 1), ('bob', 2, 0)");
  expect(await accounts()).toEqual([0]);
  host.exec("UPDATE people SET स्तर = 3");
  expect(await accounts()).toEqual([1, "ann"]);
  host.exec("UPDATE people SET 😀 = 1");
  expect(await accounts()).toEqual([2, "ann", "bob"]);
});

const tables = "CREATE TABLE people (id TEXT PRIMARY KEY); CREATE TABLE profile (id TEXT PRIMARY KEY, level INTEGER)";

it.each([
  ["(SELECT level FROM profile WHERE profile.id = people.id)", ""],
  ["(SELECT profile FROM ranks WHERE ranks.id = people.id)", "SELECT id, level AS profile FROM profile"],
  [
    "(SELECT sum(amount) FROM ranks NATURAL JOIN profile WHERE ranks.id = people.id)",
    "SELECT 'ann' AS id, 1 AS level, 3 AS amount",
  ],
])("notices columns of a second table by %s", async (appMangerLevel, view) => {
  const also = [{ table: "profile", key }];
  const { host, accounts } = await openHost(`${tables}; ${view && `CREATE VIEW ranks AS ${view}`}`, {
    ...{ from: "people", key, also },
    fields: { appMangerLevel },
  });
  host.exec("INSERT INTO people VALUES ('ann'); INSERT INTO profile VALUES ('ann', 0)");
  expect(await accounts()).toEqual([0]);
  host.exec(`UPDATE profile SET level = ${view.includes("amount") ? 1 : 3}`);
  expect(await accounts()).toEqual([1, "ann"]);
});

it("tells that a key ignores the case, and notices a REPLACE by it if the map says so", async () => {
  const people = "CREATE TABLE people (id TEXT COLLATE NOCASE PRIMARY KEY, level INTEGER)";
  const users = { from: "people", key, fields: { appMangerLevel: "level" } };
  const { database } = await openHost(people, users);
  expect(await checkMap(database)).toEqual([
    {
      kind: "note",
      problem: "people has unique columns that the map does not tell: a REPLACE by them is not noticed",
      count: 1,
      examples: ['["id"]'],
    },
  ]);
  const told = await openHost(people, { ...users, unique: ["id"] });
  expect(await checkMap(told.database)).toEqual([]);
  told.host.exec("INSERT INTO people VALUES ('ann', 3)");
  expect(await told.accounts()).toEqual([1, "ann"]);
  told.host.exec("INSERT OR REPLACE INTO people VALUES ('ANN', 3)");
  expect(await told.accounts()).toEqual([1, "ANN"]);
});

it("lists rows with the same key, which check tells, and fails no other list", async () => {
  const groupMembers = {
    from: "members",
    key: { groupID: "room", userID: "person" },
    fields: { nickname: "name" },
  };
  const tables =
    "CREATE TABLE members (room TEXT, person TEXT, name TEXT); CREATE INDEX seats ON members (person, room)";
  const { host, install, store, database } = await openMappedFile(tables, { groupMembers }, tiny);
  await store.put({ groups: [{ groupID: "g" }], users: [{ userID: "ann", appMangerLevel: 3 }] });
  const total = async (keyword: string) => {
    await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
    return (await store.listGroupMembers({ groupID: "g", keyword, offset: 0, limit: 1 }))?.total;
  };
  host.exec(`INSERT INTO members VALUES ('g', 1, 'One'), ('g', '1', 'Two')`);
  const others = (from: number) => `INSERT INTO members
    WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + 7}) SELECT 'g', i, 'Ann' FROM n`;
  host.exec(others(10));
  expect(await total("")).toBe(9);
  host.exec("INSERT INTO members VALUES ('g', 30, 'Three'), ('g', '30', '王')");
  expect(await total("")).toBe(10);
  host.exec("DELETE FROM members WHERE name IN ('One', '王')");
  expect([await total("two"), await total("three"), await total("王"), await total("one")]).toEqual([1, 1, 0, 0]);
  host.exec("INSERT INTO members VALUES ('g', '10', 'x')");
  expect(await total("")).toBe(10);
  const found = { kind: "unmendable", problem: "rows of members have the same key", count: 1, examples: ["g, 10"] };
  expect(await checkMap(database)).toEqual([found]);
  await expect(install({ groupMembers })).rejects.toThrow(
    "groupMembers: rows of members have the same key (1, such as g, 10): let where choose one of them, or name the column that grows in latest",
  );
  expect(await total("")).toBe(10);
});
