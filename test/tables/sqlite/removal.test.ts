import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { installMap } from "../../../src/stores/sqlite/upkeep/installMap.js";
import { removeAll } from "../../../src/stores/sqlite/upkeep/removeAll.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { hostMap, hostSchema } from "../../helpers/sqliteHost.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

function openHost(mode = "delete") {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.exec(`PRAGMA journal_mode = ${mode}; ${hostSchema};
    INSERT INTO users (id, name, kind) VALUES (1, 'Ann', 3), (2, 'Bob', 0);
    INSERT INTO groups VALUES ('a', 1, 'x');
    INSERT INTO members (tenant, group_id, user_id) SELECT 'a', 1, id FROM users`);
  const openDatabase = () => {
    const database = openSqliteDatabase({ path, adopt: true });
    onTestFinished(() => database.close());
    return database;
  };
  return { path, host, openDatabase };
}

/** What a file defines, in the order in which a dump has it, and what its header says. */
function schemaOf(host: BetterSqlite3.Database) {
  const header = ["application_id", "user_version", "journal_mode"].map((name) => host.pragma(name));
  return [...header, host.prepare("SELECT rowid, type, name, tbl_name, sql FROM sqlite_schema").all()];
}

it.each(["delete", "wal"])("takes out all that im-admin has made while the host writes, in mode %s", async (mode) => {
  const { host, openDatabase } = openHost(mode);
  const before = schemaOf(host);
  const write = host.prepare("UPDATE members SET role = 'admin' WHERE user_id = ?");
  const database = openDatabase();
  await installMap(database, hostMap);
  write.run(1);
  const store = createSqlStore(database, undefined, defaultSizes);
  expect((await store.listGroupMembers({ groupID: "a:1", keyword: "", offset: 0, limit: 9 }))?.total).toBe(2);
  expect(schemaOf(host)).not.toEqual(before);
  const removed = removeAll(database);
  write.run(2);
  await removed;
  write.run(1);
  expect(schemaOf(host)).toEqual(before);
  expect(host.prepare("SELECT role FROM members").pluck().all()).toEqual(["admin", "admin"]);
  expect(host.pragma("integrity_check", { simple: true })).toBe("ok");
});

it("leaves an application_id of the host, and its tables whose names begin like im-admin's", async () => {
  const { host, openDatabase } = openHost();
  host.exec("PRAGMA application_id = 7; PRAGMA user_version = 3");
  const before = schemaOf(host);
  const database = openDatabase();
  await installMap(database, hostMap);
  host.exec("CREATE TABLE im_admin_backup AS SELECT * FROM im_admin_listed_users");
  await removeAll(database);
  expect(host.prepare("SELECT user_id FROM im_admin_backup").all()).toEqual([{ user_id: "1" }]);
  host.exec("DROP TABLE im_admin_backup");
  expect(schemaOf(host)).toEqual(before);
});

it("takes out what an interrupted host has left of it", async () => {
  const { host, openDatabase } = openHost();
  const before = schemaOf(host);
  const database = openDatabase();
  await installMap(database, hostMap);
  host.exec("DROP TABLE im_admin_listed_blacks; DROP TABLE im_admin_table_map; DROP TRIGGER im_admin_users_moved");
  await removeAll(database);
  expect(schemaOf(host)).toEqual(before);
});

it.each([
  ["view", "CREATE VIEW seen AS SELECT user_id FROM im_admin_users"],
  ["trigger", "CREATE TRIGGER seen AFTER INSERT ON users BEGIN DELETE FROM im_admin_groups; END"],
  ["index", "CREATE INDEX seen ON im_admin_users (nickname)"],
])("leaves all if a %s of the host depends on it", async (type, statement) => {
  const { host, openDatabase } = openHost();
  const database = openDatabase();
  host.exec(statement);
  const before = schemaOf(host);
  await expect(removeAll(database)).rejects.toThrow(`the ${type} seen depends on a table of im-admin: drop it first`);
  expect(schemaOf(host)).toEqual(before);
});

it("loses no record of im-admin's own tables", async () => {
  const { host, openDatabase } = openHost();
  const database = openDatabase();
  await createSqlStore(database).put({ blacks: [{ ownerUserID: "a", blackUserID: "b" }] });
  const before = schemaOf(host);
  await expect(removeAll(database)).rejects.toThrow(
    "im_admin_blacks has records, which would be lost: export them first, and remove them",
  );
  expect(schemaOf(host)).toEqual(before);
});

it.each(["delete", "wal"])("leaves nothing in a file where an installation fails, in mode %s", async (mode) => {
  const { path, host } = openHost(mode);
  const map = join(temporaryFolder(), "map.json");
  const given = { ...hostMap, users: { ...hostMap.users, fields: { nickname: "nosuch" } } };
  writeFileSync(map, JSON.stringify(given));
  const before = schemaOf(host);
  const { status, stderr } = await imAdmin(["tables", "--map", map, "--db", path]);
  expect([status, stderr]).toEqual([1, "im-admin: users.nickname: no such column: nosuch\n"]);
  expect(schemaOf(host)).toEqual(before);
  const missing = await imAdmin(["tables", "--map", map, "--db", `${path}x`]);
  expect([missing.status, missing.stderr]).toEqual([1, `im-admin: there is no database ${path}x\n`]);
  expect(existsSync(`${path}x`)).toBe(false);
});
