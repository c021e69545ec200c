/** A database is brought to a version that a later im-admin has. The next version of these tests is made up. */
import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../../src/stores/postgres/upkeep/checkAll.js";
import { installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { migrate, whyMigrate } from "../../../../src/stores/postgres/upkeep/migrate.js";
import { schemaVersion, versions } from "../../../../src/stores/postgres/upkeep/migration.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { fill, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
const schema = quoted("im_admin");

const next = schemaVersion + 1;
const later = [
  ...versions,
  `ALTER TABLE im_admin.groups ADD COLUMN motto text NOT NULL DEFAULT 'none';
UPDATE im_admin.schema_version SET version = ${next};`,
];

const map = {
  users: { from: "chat.people", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "level" } },
} as const;

it.each([
  ["in im-admin's own tables", false],
  ["in a host's tables", true],
])("two processes at once bring records %s to the next version", async (_, isMapped) => {
  await server.pool.query(`
    DROP SCHEMA IF EXISTS im_admin CASCADE;
    DROP SCHEMA IF EXISTS chat CASCADE;
    CREATE SCHEMA chat;
    CREATE TABLE chat.people (id text PRIMARY KEY, name text, level integer)`);
  await migratePostgres(server.pool);
  if (isMapped) await installMap(server.pool, schema, map);
  const people = isMapped ? "chat.people" : "im_admin.users (user_id, nickname, app_manger_level)";
  await server.pool.query(`
    INSERT INTO ${people} VALUES ('u1', 'Ann', 3), ('u2', 'Bob', 1);
    INSERT INTO im_admin.groups (group_id) VALUES ('g1');
    ${fill("u", 300)}`);
  await settle(server.pool);

  await Promise.all([migrate(server.pool, schema, later), migrate(server.pool, schema, later)]);
  const { rows } = await server.pool.query("SELECT version, motto FROM im_admin.schema_version, im_admin.groups");
  expect(rows).toEqual([{ version: next, motto: "none" }]);
  await expect(whyMigrate(server.pool, schema)).rejects.toThrow(
    `the schema "im_admin" has version ${next}, and this im-admin knows version ${schemaVersion}: install a newer im-admin`,
  );

  // Lists go on, and triggers still watch the tables.
  const store = createPostgresStore({ pool: server.pool });
  await server.pool.query(
    isMapped ? "UPDATE chat.people SET level = 3" : "UPDATE im_admin.users SET app_manger_level = 3",
  );
  await server.pool.query("DELETE FROM im_admin.group_members WHERE user_id = 'u300'");
  const page = { keyword: "", offset: 0, limit: 9 };
  const answers = async () => [
    await store.listNotificationAccounts(page),
    await store.listGroupMembers({ ...page, groupID: "g1", keyword: "ann" }),
    (await store.listGroupMembers({ ...page, groupID: "g1" }))?.total,
  ];
  const expected = [
    { total: 2, items: [{ nickName: "Ann" }, { nickName: "Bob" }] },
    { total: 1, items: [{ userID: "u1" }] },
    299,
  ];
  expect(await answers()).toMatchObject(expected);
  await settle(server.pool);
  expect(await answers()).toMatchObject(expected);

  // A process of the version before tells that it is too old to check.
  expect(await checkLists(server.pool, schema)).toEqual([
    {
      kind: "unchecked",
      problem: `the schema has version ${next}, and this im-admin checks version ${schemaVersion}`,
      count: 1,
    },
  ]);
});

it("keeps everything as it was if a later version fails", async () => {
  await server.pool.query("DROP SCHEMA im_admin CASCADE");
  await migratePostgres(server.pool);
  await expect(migrate(server.pool, schema, [...later.slice(0, -1), `${later.at(-1)} SELECT 1 / 0;`])).rejects.toThrow(
    "division by zero",
  );
  expect(await whyMigrate(server.pool, schema)).toBeUndefined();
  expect(await checkLists(server.pool, schema)).toEqual([]);
});

it("makes and keeps schemas of any names, several processes at once", async () => {
  await Promise.all([migratePostgres(server.pool), migratePostgres(server.pool), migratePostgres(server.pool)]);
  const name = `Odd "name's"`;
  await Promise.all([migratePostgres(server.pool, { schema: name }), migratePostgres(server.pool, { schema: name })]);
  const odd = createPostgresStore({ pool: server.pool, schema: name });
  await odd.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
  expect((await odd.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).total).toBe(1);
  expect(await checkLists(server.pool, quoted(name))).toEqual([]);
});

it("makes no schema where somebody else has a function of the same name, which could then be changed", async () => {
  await server.pool.query(`
    DROP SCHEMA im_admin CASCADE;
    CREATE SCHEMA im_admin;
    CREATE FUNCTION im_admin.leaf_size() RETURNS integer LANGUAGE sql IMMUTABLE RETURN 1`);
  await expect(migratePostgres(server.pool)).rejects.toThrow('function "leaf_size" already exists');
  expect((await server.pool.query("SELECT to_regclass('im_admin.users')")).rows).toEqual([{ to_regclass: null }]);
});
