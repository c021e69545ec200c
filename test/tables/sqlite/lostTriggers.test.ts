/** A host drops a mapped table and makes it again, which takes im-admin's triggers away. */
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { tablesSql } from "../../../src/tables/index.js";
import { installMap } from "../../../src/tables/sqlite/installed.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

const map = {
  users: { from: "people", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "3" } },
  groups: { from: "rooms", key: { groupID: "id" } },
  groupMembers: { from: "members", key: { groupID: "room", userID: "person" } },
} as const;

const columns = "(room TEXT, person TEXT, note TEXT, PRIMARY KEY (room, person))";

async function openHost() {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  host.exec(`
    CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE rooms (id TEXT PRIMARY KEY);
    CREATE TABLE members ${columns};
    INSERT INTO people VALUES ('ann', 'Ann'), ('bob', 'Bob');
    INSERT INTO rooms VALUES ('g');
    INSERT INTO members VALUES ('g', 'ann', '')`);
  const database = openSqliteDatabase({ path, adopt: true });
  await installMap(database, map);
  await database.close();
  const store = openSqliteStore({ path });
  onTestFinished(async () => {
    host.close();
    await store.close();
  });
  const page = { groupID: "g", keyword: "", offset: 0, limit: 9 };
  const members = async (keyword = "") => {
    const found = await store.listGroupMembers({ ...page, keyword });
    return found?.items.map(({ userID }) => userID);
  };
  return { path, host, store, members };
}

/** How SQLite's documentation changes a table beyond what ALTER TABLE can do, with the older meaning of RENAME. */
const recipe = `
  PRAGMA legacy_alter_table = ON;
  BEGIN;
  CREATE TABLE new_members ${columns};
  INSERT INTO new_members SELECT * FROM members;
  DROP TABLE members;
  ALTER TABLE new_members RENAME TO members;
  COMMIT`;

const anew = `
  CREATE TEMP TABLE kept AS SELECT * FROM members;
  DROP TABLE members;
  CREATE TABLE members ${columns};
  INSERT INTO members SELECT * FROM kept`;

it.each([
  ["dropped and made again", anew],
  ["changed by the recipe of SQLite", recipe],
])("reads no list after a mapped table was %s, and says what to do", async (_, change) => {
  const { path, host, store, members } = await openHost();
  expect(await members()).toEqual(["ann"]);
  host.exec(change);
  host.exec("INSERT INTO members VALUES ('g', 'bob', '')");
  const reason = "the triggers on members are gone, and lists are no longer kept";
  const page = { offset: 0, limit: 9 };
  for (const read of [
    members(),
    members("b"),
    store.listGroupMembers({ ...page, limit: 1000, groupID: "g", keyword: "o" }),
    store.listJoinedGroups({ ...page, userID: "bob" }),
    store.listNotificationAccounts({ ...page, keyword: "" }),
  ]) {
    await expect(read).rejects.toThrow(`${reason}: im-admin check --repair --db ${path}`);
  }
  const refused = await imAdmin(["export", "--db", path, "--list", "members", "--group", "g"]);
  expect([refused.status, refused.stdout, refused.stderr]).toEqual([1, "", expect.stringContaining(reason)]);
  const checks = tablesSql(map, { engine: "sqlite" }).check;
  expect(host.prepare(checks.at(-1) ?? "").all()).toEqual([
    { kind: "wrong", problem: reason, count: 3, example: "im_admin_group_members_deleted" },
  ]);
  expect((await imAdmin(["check", "--db", path])).stderr).toContain(
    "the trigger im_admin_group_members_inserted is missing",
  );

  expect(await imAdmin(["check", "--repair", "--db", path])).toMatchObject({ status: 0 });
  expect([await members(), await members("b")]).toEqual([["ann", "bob"], ["bob"]]);
  host.exec("DELETE FROM members WHERE person = 'ann'");
  expect(await members()).toEqual(["bob"]);
  expect(host.prepare(checks.at(-1) ?? "").all()).toEqual([]);
});

it("goes on after the map was installed anew in place of a repair", async () => {
  const { path, host, members } = await openHost();
  host.exec(`${anew}; INSERT INTO members VALUES ('g', 'bob', '')`);
  await expect(members()).rejects.toThrow("the triggers on members are gone");
  const database = openSqliteDatabase({ path });
  await installMap(database, map);
  await database.close();
  expect(await members()).toEqual(["ann", "bob"]);
});

it("notices a table that has taken the name of a renamed one", async () => {
  const { host, members } = await openHost();
  host.exec("ALTER TABLE members RENAME TO old_members; INSERT INTO old_members VALUES ('g', 'bob', '')");
  expect(await members()).toEqual(["ann", "bob"]);
  host.exec(`CREATE TABLE members ${columns}`);
  await expect(members()).rejects.toThrow("the triggers on members are gone");
});
