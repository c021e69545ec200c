/** A host changes its mapped tables as its migrations do, while sessions that were there before write and read. */
import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { defineTables } from "../../../../src/stores/tablesSql.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../../helpers/postgres/sessions.js";

const schema = quoted("im_admin");

const map = defineTables({
  users: {
    from: "chat.people",
    key: { userID: "id" },
    where: "NOT EXISTS (SELECT FROM chat.bans WHERE bans.person = people.id)",
    fields: { nickname: "name" },
    also: [{ table: "chat.bans", key: { userID: "person" } }],
  },
  groups: { from: "chat.rooms", key: { groupID: "id" } },
  groupMembers: {
    from: "chat.members",
    key: { groupID: "room", userID: "person" },
    where: "left_at IS NULL",
    fields: { roleLevel: "role::integer", joinTime: "joined" },
  },
});

const members =
  "(room text, person text, role integer DEFAULT 20, joined bigint DEFAULT 0, left_at text, PRIMARY KEY (room, person))";

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.people (id text PRIMARY KEY, name text);
    CREATE TABLE chat.bans (person text, reason text);
    CREATE TABLE chat.rooms (id text PRIMARY KEY);
    CREATE TABLE chat.members ${members};
    CREATE INDEX ON chat.members (person);
    INSERT INTO chat.rooms VALUES ('g'), ('h');
    INSERT INTO chat.people SELECT 'u' || n, 'Name ' || n FROM generate_series(0, 199) n;
    INSERT INTO chat.members (room, person) SELECT 'g', id FROM chat.people`);
  await installMap(pool, schema, map);
  await settle(pool);
});

/** What a list says that cannot be read. */
const told = /is called .* now|is gone|does not exist|is another table now/;

it("is right or says why not through a thousand migrations, and lets all of them through", {
  timeout: 900_000,
}, async () => {
  const random = randomOf(seed);
  const any = (below: number) => Math.floor(random() * below);
  const pick = <Value>(values: readonly Value[]) => values[any(values.length)] as Value;
  const { pool } = server;
  const store = createPostgresStore({ pool });
  let number = 0;
  // Whether the map fits the tables.
  let role = "role";
  let table = "members";
  let isReplaced = false;

  const write = () =>
    pool.query(
      pick([
        `INSERT INTO chat.${table} (room, person) VALUES ('${pick(["g", "h"])}', 'u${any(200)}') ON CONFLICT DO NOTHING`,
        `UPDATE chat.${table} SET left_at = CASE WHEN left_at IS NULL THEN 'now' END WHERE person LIKE '%${any(10)}'`,
        `UPDATE chat.${table} SET joined = ${any(9)} WHERE person = 'u${any(200)}'`,
        `UPDATE chat.${table} SET ${role} = 60 WHERE person = 'u${any(200)}'`,
        `DELETE FROM chat.${table} WHERE person = 'u${any(200)}'`,
        `INSERT INTO chat.bans VALUES ('u${any(200)}')`,
        "DELETE FROM chat.bans",
        `UPDATE chat.people SET name = 'Name ${any(300)}' WHERE id = 'u${any(200)}'`,
      ]),
    );

  const rename = (name: string) => {
    const change = `ALTER TABLE chat.${table} RENAME COLUMN ${role} TO ${name}`;
    role = name;
    return change;
  };
  const renameTable = (name: string) => {
    const change = `ALTER TABLE chat.${table} RENAME TO ${name}`;
    table = name;
    return change;
  };
  const migrations: (() => string)[] = [
    () => `ALTER TABLE chat.${table} ADD COLUMN added_${++number} text DEFAULT 'x'`,
    () => `ALTER TABLE chat.${table} DROP COLUMN IF EXISTS added_${number} CASCADE`,
    () =>
      `ALTER TABLE chat.${table} ALTER COLUMN ${role} TYPE ${pick(["bigint", "integer", "text", "numeric"])} USING ${role}::integer`,
    () => `ALTER TABLE chat.${table} ALTER COLUMN person TYPE ${pick(["varchar(40)", "text", 'text COLLATE "C"'])}`,
    () => `ALTER TABLE chat.people ALTER COLUMN name TYPE ${pick(["varchar(90)", "text"])}`,
    () => "ALTER TABLE chat.people ALTER COLUMN name TYPE text USING translate(name, 'Nm', 'mN')",
    () => `ALTER TABLE chat.bans ADD COLUMN added_${++number} integer, DROP COLUMN IF EXISTS reason CASCADE`,
    () => rename(role === "role" ? "position" : "role"),
    () => renameTable(table === "members" ? "memberships" : "members"),
    () => `ALTER TABLE chat.${table} DROP COLUMN ${role} CASCADE, ADD COLUMN role_${++number} integer DEFAULT 20;
      ALTER TABLE chat.${table} RENAME COLUMN role_${number} TO ${role}`,
    () => {
      isReplaced = true;
      return `
        CREATE TABLE chat.new_members ${members};
        INSERT INTO chat.new_members SELECT room, person, ${role}::integer, joined, left_at FROM chat.${table};
        DROP TABLE chat.${table} CASCADE;
        ALTER TABLE chat.new_members RENAME TO ${table};
        ALTER TABLE chat.${table} RENAME COLUMN role TO ${role}`.replace(
        "RENAME COLUMN role TO role",
        "ADD added_0 text",
      );
    },
  ];

  const right = async (room: string, keyword: string) => {
    const { rows } = await pool.query(
      `SELECT person FROM chat.${table} m LEFT JOIN chat.people ON id = person AND id NOT IN (SELECT person FROM chat.bans)
        WHERE room = $1 AND left_at IS NULL AND (coalesce(name, '') ILIKE '%${keyword}%' OR person ILIKE '%${keyword}%')
        ORDER BY ${role}::integer DESC NULLS LAST, joined, person COLLATE "C"`,
      [room],
    );
    return rows.map(({ person }) => person);
  };
  const difference = async (room: string) => {
    const keyword = pick(["", "name 1", "maNe 1"]);
    const isReadable = role === "role" && table === "members" && !isReplaced;
    const page = await store.listGroupMembers({ groupID: room, keyword, offset: 0, limit: 1000 }).catch((error) => {
      expect([isReadable, String(error.message)]).toEqual([false, expect.stringMatching(told)]);
      return undefined;
    });
    if (page === undefined) return [];
    const found = page.items.map(({ userID }) => userID);
    const expected = await right(room, keyword);
    return JSON.stringify([page.total, found]) === JSON.stringify([expected.length, expected])
      ? []
      : [keyword, found, expected];
  };

  for (let step = 0; step < rounds(1000); step += 1) {
    const change = pick(migrations)();
    await pool.query(change);
    await write();
    await write();
    if (random() < 0.3) await settle(pool).catch(({ message }) => expect(message).toMatch(told));
    expect([step, change, await difference("g"), await difference("h")]).toEqual([step, change, [], []]);
    // The operator does what a check says, or the next migration takes the name back.
    if (random() < 0.2) {
      if (role !== "role") await pool.query(rename("role"));
      if (table !== "members") await pool.query(renameTable("members"));
      if (isReplaced || random() < 0.3) {
        await pool.query("CREATE INDEX IF NOT EXISTS members_by_person ON chat.members (person)");
        await installMap(pool, schema, map);
        isReplaced = false;
      }
      await settle(pool).catch(({ message }) => expect(message).toMatch(told));
      expect([step, await difference("g"), await difference("h")]).toEqual([step, [], []]);
    }
  }
  if (role !== "role") await pool.query(rename("role"));
  if (table !== "members") await pool.query(renameTable("members"));
  await installMap(pool, schema, map);
  await settle(pool);
  expect([await difference("g"), await problemsOf(pool)]).toEqual([[], []]);
});
