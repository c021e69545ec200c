/** An import cannot replace what is in tables of a host's own. */
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migratePostgres } from "../../src/stores/postgres/index.js";
import { quoted } from "../../src/stores/postgres/sql.js";
import { replaceRecords as replaceInPostgres } from "../../src/stores/postgres/upkeep/replace.js";
import { defaultSizes } from "../../src/stores/sqlite/schema/sizes.js";
import { replaceRecords as replaceInSqlite } from "../../src/stores/sqlite/upkeep/replace.js";
import { installMap as installInPostgres } from "../../src/tables/postgres/installed.js";
import { installMap as installInSqlite } from "../../src/tables/sqlite/installed.js";
import { postgresForFile } from "../helpers/postgres/server.js";
import { openSqliteDatabase, temporaryFolder } from "../helpers/stores.js";

const server = postgresForFile();
const ann = ["ann", "", "", "", 3];
const noGuard = () => {};

it("says so in SQLite, and writes nothing", async () => {
  const path = `${temporaryFolder()}/im.db`;
  const host = new BetterSqlite3(path);
  host.exec("CREATE TABLE people (id TEXT PRIMARY KEY); INSERT INTO people VALUES ('bob')");
  const database = openSqliteDatabase({ path, adopt: true });
  onTestFinished(async () => {
    host.close();
    await database.close();
  });
  await installInSqlite(database, { users: { from: "people", key: { userID: "id" } } });
  await expect(replaceInSqlite(database, defaultSizes, "users", [ann], noGuard)).rejects.toThrow(
    "mapped records are in tables of your own, which you write by your own SQL",
  );
  expect(host.prepare("SELECT id FROM people").pluck().all()).toEqual(["bob"]);
});

it("says so in PostgreSQL, and writes nothing", async () => {
  await server.pool.query(
    "CREATE SCHEMA chat; CREATE TABLE chat.people (id text PRIMARY KEY); INSERT INTO chat.people VALUES ('bob')",
  );
  await migratePostgres(server.pool);
  await installInPostgres(server.pool, quoted("im_admin"), { users: { from: "chat.people", key: { userID: "id" } } });
  await expect(replaceInPostgres(server.pool, quoted("im_admin"), "users", [ann], noGuard)).rejects.toThrow(
    "users are in a table of your own, which you write by your own SQL",
  );
  expect((await server.pool.query("SELECT id FROM chat.people")).rows).toEqual([{ id: "bob" }]);
});
