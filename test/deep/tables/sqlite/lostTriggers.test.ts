/** A host drops a mapped table and makes it again, which takes im-admin's triggers away. */
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { tablesSql } from "../../../../src/stores/tablesSql.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { openMappedFile } from "../../../helpers/mappedFile.js";

const map = {
  users: { from: "people", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "3" } },
  groups: { from: "rooms", key: { groupID: "id" } },
  groupMembers: { from: "members", key: { groupID: "room", userID: "person" } },
} as const;

const columns = "(room TEXT, person TEXT, note TEXT, PRIMARY KEY (room, person))";

const tables = `
  CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE rooms (id TEXT PRIMARY KEY);
  CREATE TABLE members ${columns};
  INSERT INTO people VALUES ('ann', 'Ann'), ('bob', 'Bob');
  INSERT INTO rooms VALUES ('g');
  INSERT INTO members VALUES ('g', 'ann', '')`;

async function openHost() {
  const { path, host, install } = await openMappedFile(tables, map);
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  const page = { groupID: "g", keyword: "", offset: 0, limit: 9 };
  const members = async (keyword = "") => {
    const found = await store.listGroupMembers({ ...page, keyword });
    return found?.items.map(({ userID }) => userID);
  };
  return { path, host, install, store, members };
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

/** The same without it, as other programs write it. SQLite refuses the RENAME where a view names the table. */
const plainRecipe = recipe.replace("legacy_alter_table = ON", "legacy_alter_table = OFF");

/** Another order: the old table gets another name first, and takes the triggers along. */
const renaming = `
  ALTER TABLE members RENAME TO old_members;
  CREATE TABLE members ${columns};
  INSERT INTO members SELECT * FROM old_members;
  DROP TABLE old_members`;

const warnings: string[] = [];
process.on("warning", ({ message }) => warnings.push(message));

it.each([
  ["dropped and made again", anew],
  ["changed by the recipe of SQLite", recipe],
  ["changed by the recipe of SQLite, with present names", plainRecipe],
  ["renamed and made again", renaming],
])("makes its triggers and lists again after a mapped table was %s", async (_, change) => {
  const { path, host, store, members } = await openHost();
  expect(await members()).toEqual(["ann"]);
  host.exec(change);
  host.exec("INSERT INTO members VALUES ('g', 'bob', '')");
  const checks = tablesSql(map, { engine: "sqlite" }).check;
  const reason = "the triggers on members are gone, and lists are no longer kept";
  expect(host.prepare(checks.at(-1) ?? "").all()).toMatchObject([{ kind: "wrong", problem: reason }]);
  expect((await imAdmin(["check", "--db", path])).stderr).toContain(
    "the trigger im_admin_group_members_inserted is missing",
  );

  warnings.length = 0;
  expect([await members(), await members("b")]).toEqual([["ann", "bob"], ["bob"]]);
  expect(await store.listJoinedGroups({ offset: 0, limit: 9, userID: "bob" })).toMatchObject({ total: 1 });
  await new Promise(setImmediate);
  expect(warnings).toContain(
    "im-admin: the triggers on members were gone: they were made again, and the lists were built",
  );
  host.exec("DELETE FROM members WHERE person = 'ann'");
  expect(await members()).toEqual(["bob"]);
  expect(host.prepare(checks.at(-1) ?? "").all()).toEqual([]);
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
});

it("reads the rows of a table without triggers where it may not write, or another program has the lock", async () => {
  const { path, host, members } = await openHost();
  host.exec(`${anew}; INSERT INTO members VALUES ('g', 'bob', '')`);
  const reader = openSqliteStore({ path, readonly: true });
  onTestFinished(() => reader.close());
  warnings.length = 0;
  const page = { groupID: "g", keyword: "", offset: 1, limit: 9 };
  expect(await reader.listGroupMembers(page)).toMatchObject({ total: 2, items: [{ userID: "bob" }] });
  const exported = await imAdmin(["export", "--db", path, "--list", "members", "--group", "g"]);
  expect(exported).toMatchObject({ status: 0, stdout: expect.stringContaining("bob") });
  host.exec("BEGIN IMMEDIATE");
  expect(await members()).toEqual(["ann", "bob"]);
  await new Promise(setImmediate);
  expect(warnings).toContain(
    `im-admin: the triggers on members are gone, and lists are no longer kept, but read from your rows, which is slow: im-admin check --repair --db ${path}`,
  );
  host.exec("DELETE FROM members WHERE person = 'ann'; COMMIT");
  expect(await members()).toEqual(["bob"]);
  host.exec("INSERT INTO members VALUES ('g', 'cid', '')");
  expect(await members()).toEqual(["bob", "cid"]);
});

it("makes triggers and lists again once for many reads that wait for a lock", async () => {
  const { host, members } = await openHost();
  const many = () => Promise.all(Array.from({ length: 9 }, () => members()));
  await members();
  warnings.length = 0;
  host.exec(`${anew}; INSERT INTO members VALUES ('g', 'bob', ''); BEGIN IMMEDIATE`);
  const version = () => Number(host.pragma("schema_version", { simple: true }));
  expect(await many()).toEqual(Array(9).fill(["ann", "bob"]));
  await new Promise(setImmediate);
  expect(warnings).toMatchObject([expect.stringContaining("are gone")]);
  const before = version();
  host.exec("COMMIT");
  await expect.poll(() => warnings.length).toBe(2);
  const once = version() - before;
  expect(await many()).toEqual(Array(9).fill(["ann", "bob"]));
  expect(version() - before).toBe(once);
  expect(warnings.length).toBe(2);
});

it("goes on after the map was installed anew in place of a repair", async () => {
  const { host, install, members } = await openHost();
  host.exec(`${anew}; INSERT INTO members VALUES ('g', 'bob', '')`);
  await install(map);
  expect(await members()).toEqual(["ann", "bob"]);
});

it("follows a table that has got another name no further than the map does", async () => {
  const { host, members } = await openHost();
  host.exec("ALTER TABLE members RENAME TO old_members; INSERT INTO old_members VALUES ('g', 'bob', '')");
  await expect(members()).rejects.toThrow("no such table: members");
  host.exec(`CREATE TABLE members ${columns}`);
  expect(await members()).toEqual([]);
  host.exec("INSERT INTO members VALUES ('g', 'bob', '')");
  expect(await members()).toEqual(["bob"]);
});
