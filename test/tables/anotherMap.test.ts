/** The statements of one map meet what another one has made, or a table in the place of another. */
import { expect, it } from "vitest";
import { migratePostgres } from "../../src/stores/postgres/index.js";
import { quoted } from "../../src/stores/postgres/sql.js";
import { checkMap, installMap } from "../../src/stores/postgres/upkeep/installMap.js";
import { type TableMap, tablesSql } from "../../src/stores/tablesSql.js";
import { openMappedFile } from "../helpers/mappedFile.js";
import { postgresForFile } from "../helpers/postgres/server.js";

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query(
    "CREATE TABLE public.people (id text PRIMARY KEY, name text); CREATE TABLE public.rooms (id text PRIMARY KEY)",
  );
});

const people = (schema: string): TableMap => ({ users: { from: `${schema}people`, key: { userID: "id" } } });
const rooms = (schema: string): TableMap => ({
  ...people(schema),
  groups: { from: `${schema}rooms`, key: { groupID: "id" } },
});

const message =
  "the installed map has other kinds of records: remove it by im-admin tables --remove, or by the statements of that map";

it("SQLite says that the statements are not those of the installed map, and removes nothing", async () => {
  const { host } = await openMappedFile(
    "CREATE TABLE people (id TEXT PRIMARY KEY); CREATE TABLE rooms (id TEXT PRIMARY KEY)",
    people(""),
  );
  const remove = (map: TableMap) =>
    host.exec(["BEGIN", ...tablesSql(map, { engine: "sqlite" }).remove, "COMMIT"].join(";"));
  expect(() => remove(rooms(""))).toThrow(message);
  host.exec("ROLLBACK");
  expect(host.prepare("SELECT record FROM im_admin_sources").pluck().all()).toEqual(["users"]);
  remove({ users: { from: "people", key: { userID: ["id"] } } });
  expect(host.prepare("SELECT record FROM im_admin_sources").pluck().all()).toEqual([]);
});

it("PostgreSQL says that the statements are not those of the installed map, and removes nothing", async () => {
  await installMap(server.pool, quoted("im_admin"), { ...rooms("public."), separator: "/" });
  const remove = (map: TableMap) =>
    server.pool.query(["BEGIN;", ...tablesSql(map, { engine: "postgres" }).remove, "COMMIT;"].join("\n"));
  await expect(remove(people("public."))).rejects.toThrow(message);
  await server.pool.query("ROLLBACK");
  await remove(rooms("public."));
  expect((await server.pool.query("SELECT FROM im_admin.table_map")).rows).toEqual([]);
});

it("PostgreSQL says that another table has the name of a table that is gone", async () => {
  await installMap(server.pool, quoted("im_admin"), people("public."));
  const problems = async () => (await checkMap(server.pool, quoted("im_admin"))).map(({ problem }) => problem);
  await server.pool.query("CREATE TABLE public.new_people (LIKE public.people INCLUDING ALL)");
  await server.pool.query("BEGIN; DROP TABLE public.people; ALTER TABLE public.new_people RENAME TO people; COMMIT");
  expect(await problems()).toEqual(["public.people is another table now"]);
  await server.pool.query("DROP TABLE public.people");
  expect(await problems()).toEqual(["public.people is gone"]);
});
