/** An import cannot replace what is in tables of a host's own. */
import { expect, it } from "vitest";
import { migratePostgres } from "../../src/stores/postgres/index.js";
import { quoted } from "../../src/stores/postgres/sql.js";
import { installMap } from "../../src/stores/postgres/upkeep/installMap.js";
import { replaceRecords as replaceInPostgres } from "../../src/stores/postgres/upkeep/replace.js";
import { defaultSizes } from "../../src/stores/sqlite/schema/sizes.js";
import { replaceRecords as replaceInSqlite } from "../../src/stores/sqlite/upkeep/replace.js";
import { openMappedFile } from "../helpers/mappedFile.js";
import { postgresForFile } from "../helpers/postgres/server.js";

const server = postgresForFile();
const ann = ["ann", "", "", "", 3];
const noGuard = () => {};

it("says so in SQLite, and writes nothing", async () => {
  const tables = "CREATE TABLE people (id TEXT PRIMARY KEY); INSERT INTO people VALUES ('bob')";
  const { host, database } = await openMappedFile(tables, { users: { from: "people", key: { userID: "id" } } });
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
  await installMap(server.pool, quoted("im_admin"), { users: { from: "chat.people", key: { userID: "id" } } });
  await expect(replaceInPostgres(server.pool, quoted("im_admin"), "users", [ann], noGuard)).rejects.toThrow(
    "users are in a table of your own, which you write by your own SQL",
  );
  expect((await server.pool.query("SELECT id FROM chat.people")).rows).toEqual([{ id: "bob" }]);
});
