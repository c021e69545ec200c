/** Expressions of a map that can never be right are refused when it is installed, with the name of the field. */
import { expect, it } from "vitest";
import { migratePostgres } from "../../src/stores/postgres/index.js";
import { quoted } from "../../src/stores/postgres/sql.js";
import { installMap } from "../../src/stores/postgres/upkeep/installMap.js";
import { type TableMap, tablesSql } from "../../src/stores/tablesSql.js";
import { openHostFile } from "../helpers/mappedFile.js";
import { postgresForFile } from "../helpers/postgres/server.js";

const tables = (schema: string) => `
  CREATE TABLE ${schema}person (id text PRIMARY KEY, name text, level integer, seen bigint, born date);
  CREATE TABLE ${schema}member (room integer, person text, role integer, PRIMARY KEY (room, person));
  CREATE TABLE ${schema}names (person integer, name text);`;

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query(`
    CREATE SCHEMA chat; ${tables("chat.")}
    INSERT INTO chat.person VALUES ('a', 'Ann', 7), ('b', 'Bo', 7), ('c', 'Cy', 1);
    CREATE EXTENSION citext;
    ALTER TABLE chat.person ADD COLUMN at timestamptz, ADD COLUMN hash bytea, ADD COLUMN state citext;
    CREATE COLLATION chat.any_case (PROVIDER = icu, LOCALE = 'und-u-ks-level2', DETERMINISTIC = false);
    CREATE TABLE chat.steps (id text COLLATE chat.any_case, place integer);
    CREATE MATERIALIZED VIEW chat.copy AS SELECT id FROM chat.person;
    CREATE UNLOGGED TABLE chat.lost (id text PRIMARY KEY);
    CREATE VIEW chat.seen AS SELECT name FROM chat.names;
    CREATE VIEW chat.elders AS SELECT id FROM chat.person WHERE level > 3;
    CREATE TABLE chat.ban (person text, until timestamptz);
    CREATE VIEW chat.banned AS SELECT person FROM chat.ban WHERE until > now();
    CREATE VIEW chat.free AS SELECT * FROM chat.member WHERE person NOT IN (SELECT banned.person FROM chat.banned);
    CREATE FUNCTION chat.name_of(text) RETURNS text LANGUAGE sql STABLE AS 'SELECT max(name) FROM chat.names';
    CREATE OPERATOR chat.? (RIGHTARG = text, FUNCTION = chat.name_of)`);
});

/** A map with one change. */
function mapWith(schema: string, users: object = {}, members: object = {}): TableMap {
  return {
    users: { from: `${schema}person`, key: { userID: "id" }, ...users },
    groupMembers: { from: `${schema}member`, key: { groupID: "room", userID: "person" }, ...members },
  };
}

const everywhere: [string, object, object][] = [
  ["users.nickname", { fields: { nickname: "max(name)" } }, {}],
  ["users.faceURL", { fields: { faceURL: "row_number() OVER ()" } }, {}],
  ["users.where", { where: "count(*) > 1" }, {}],
  ["users.nickname", { fields: { nickname: "name || random()" } }, {}],
  ["users.ex", { fields: { ex: "random()" } }, {}],
  ["users.where", { where: "seen > CURRENT_TIMESTAMP" }, {}],
  ["groupMembers.roleLevel", {}, { fields: { roleLevel: "nosuch" } }],
  ["groupMembers.userID", {}, { key: { groupID: "room", userID: "nosuch" } }],
];

it.each<[string, object, object, string?]>([
  ...everywhere,
  [
    "users.nickname",
    { fields: { nickname: "unnest(ARRAY[name])" } },
    {},
    "set-returning functions are not allowed in WHERE",
  ],
  ["users.nickname", { fields: { nickname: "max(name)" } }, {}, "aggregate functions are not allowed in WHERE"],
  [
    "users.nickname",
    { fields: { nickname: "name || clock_timestamp()" } },
    {},
    "clock_timestamp() differs from call to call",
  ],
  [
    "users.appMangerLevel",
    { fields: { appMangerLevel: "extract(epoch FROM now())" } },
    {},
    "the time or the session decides",
  ],
  ["users.where", { where: "name = CURRENT_USER" }, {}, "the time or the session decides"],
  ["users.where", { where: "at::date > '2020-01-01'" }, {}, "the time or the session decides"],
  ["users.where", { where: "to_char(at, 'YYYY') = '2020'" }, {}, "the time or the session decides"],
  ["users.where", { where: "at::text > ''" }, {}, "the time or the session decides"],
  ["users.where", { where: "date_trunc('day', at) = at" }, {}, "the time or the session decides"],
  ["users.where", { where: "extract(hour FROM at) > 3" }, {}, "the time or the session decides"],
  ["users.where", { where: "at < 'now'" }, {}, "the time or the session decides"],
  ["users.where", { where: "born = ' Today '" }, {}, "the time or the session decides"],
  ["users.userID", { key: { userID: "hash" } }, {}, "the time or the session decides"],
  ["users.where", { where: "state = 'here'" }, {}, "compares public.citext as text: cast it to text"],
  ["users.ex", { fields: { ex: "CASE state WHEN 'here' THEN 'x' END" } }, {}, "compares public.citext as text"],
  ["users.where", { where: "name = current_setting('app.name', true)" }, {}, "the time or the session decides"],
  ["users.where", { where: "age(born) > '1 day'" }, {}, "the time or the session decides"],
  ["users.userID", { key: { userID: { sql: "id || current_schema()" } } }, {}, "the time or the session decides"],
  [
    "users.userID",
    { key: { userID: { sql: "id || born" } } },
    {},
    "the time or the session decides by the text of a date",
  ],
  ["users.userID", { key: { userID: "born" } }, {}, "the time or the session decides by the text of a date"],
  [
    "users.also[0]",
    { also: [{ table: "chat.person", key: { userID: { sql: "id || born" } } }] },
    {},
    "the time or the session decides by the text of a date",
  ],
  [
    "users.appMangerLevel",
    { fields: { appMangerLevel: "xmin::text::bigint" } },
    {},
    "reads a column of the server's own",
  ],
  ["users.where", { where: "name" }, {}, "argument of WHERE must be type boolean"],
  ["users.from", { from: "chat.nosuch" }, {}, 'relation "chat.nosuch" does not exist'],
  [
    "users.also[0]",
    { also: [{ table: "chat.names", key: { userID: "nosuch" } }] },
    {},
    "column names.nosuch does not exist",
  ],
  [
    "users.nickname",
    { fields: { nickname: "(SELECT max(name) FROM chat.names)" } },
    {},
    "reads chat.names: name it in also",
  ],
  ["users.where", { where: "EXISTS (SELECT FROM chat.seen)" }, {}, "reads chat.names: name it in also"],
  [
    "users.where",
    { where: "level = (SELECT max(other.level) FROM chat.person AS other)" },
    {},
    "reads other rows of chat.person: name it in also",
  ],
  ["users.where", { where: "id IN (SELECT elders.id FROM chat.elders)" }, {}, "reads other rows of chat.person"],
  [
    "groupMembers.where",
    {},
    {
      where: "person NOT IN (SELECT banned.person FROM chat.banned)",
      also: [{ table: "chat.ban", key: { userID: "person" } }],
    },
    "the time or the session decides by now()",
  ],
  [
    "groupMembers.from",
    {},
    {
      from: "(SELECT * FROM chat.free) AS member",
      also: [
        { table: "chat.member", key: { groupID: "room", userID: "person" } },
        { table: "chat.ban", key: { userID: "person" } },
      ],
    },
    "the time or the session decides by now()",
  ],
  [
    "users.nickname",
    { fields: { nickname: "chat.name_of(id)" } },
    {},
    "chat.name_of() may read what im-admin does not see",
  ],
  ["users.where", { where: "OPERATOR(chat.?) id > ''" }, {}, "chat.name_of() may read what im-admin does not see"],
  ["users.userID", { key: { userID: { sql: "(SELECT max(name) FROM chat.names)" } } }, {}, "reads chat.names"],
  ["users.from", { from: "(SELECT person.id FROM chat.person) AS people" }, {}, "reads chat.person: name it in also"],
  ["users.key", { key: { userID: "level" } }, {}, "1 keys have several rows, such as 7: say by latest or where"],
  ["users", { from: "chat.lost" }, {}, "chat.lost is unlogged"],
  [
    "users",
    { from: "chat.copy", also: [{ table: "chat.person", key: { userID: "id" } }] },
    {},
    "chat.copy is unlogged or materialized",
  ],
  ["users.latest", { latest: "nosuch" }, {}, "column person.nosuch does not exist"],
  ["users.latest", { from: "chat.steps", latest: "place" }, {}, "the collation of the key takes different IDs"],
  ["groupMembers.roleLevel", {}, { fields: { roleLevel: "nosuch" } }, 'column "nosuch" does not exist'],
])("PostgreSQL refuses %s of %j %j", async (path, users, members, reason = "") => {
  const installed = installMap(server.pool, quoted("im_admin"), mapWith("chat.", users, members));
  await expect(installed).rejects.toThrow(`${path}: ${reason}`);
  expect((await server.pool.query("SELECT FROM im_admin.table_map")).rows).toEqual([]);
});

it("PostgreSQL takes queries of other rows, and the time in fields that are only shown", async () => {
  const users = {
    where:
      "EXISTS (SELECT FROM chat.names WHERE names.name = person.name) AND extract(epoch FROM at) > 0 AND born > '2020-01-01' AND state OPERATOR(public.=) 'here'",
    fields: {
      nickname: "(SELECT max(name) FROM chat.names)",
      faceURL: "encode(hash, 'hex')",
      ex: "now()::text || (SELECT max(name) FROM chat.seen)",
    },
    also: [{ table: "chat.names", key: { userID: "person" } }],
  };
  const groups = { from: "chat.steps", key: { groupID: { sql: 'id COLLATE "C"' } }, latest: "place" };
  await installMap(server.pool, quoted("im_admin"), { ...mapWith("chat.", users), groups });
});

it.each<[string, object, object, string?]>([
  ...everywhere,
  ["users.nickname", { fields: { nickname: "max(name)" } }, {}, "misuse of aggregate"],
  ["users.where", { where: "seen > unixepoch()" }, {}, "the time decides"],
  ["users.where", { where: "seen > strftime('%s', 'now')" }, {}, "the time decides"],
  ["users.where", { where: "seen > strftime('%s')" }, {}, "the time decides"],
  ["users.where", { where: "seen > unixepoch('subsec')" }, {}, "the time decides"],
  ["users.from", { from: "nosuch" }, {}, "no such table: nosuch"],
  [
    "users.also[0].userID",
    { also: [{ table: "names", key: { userID: "nosuch" } }] },
    {},
    "no such column: names.nosuch",
  ],
  ["groupMembers.roleLevel", {}, { fields: { roleLevel: "nosuch" } }, "no such column: nosuch"],
  ["users.latest", { latest: "nosuch" }, {}, "no such column: person.nosuch"],
  ["users.userID", { key: { userID: { sql: "'@' || nosuch" } } }, {}, "no such column: nosuch"],
  ["users.userID", { key: { userID: { sql: "(SELECT name FROM names)" } } }, {}, "a key reads nothing but its row"],
  ["users.userID", { key: { userID: { sql: "id || unixepoch()" } } }, {}, "the time decides"],
  ["users.from", { from: "(SELECT * FROM nosuch) AS person" }, {}, "no such table: nosuch"],
])("SQLite refuses %s of %j %j", async (path, users, members, reason = "") => {
  const { host, install } = openHostFile(tables(""));
  await expect(install(mapWith("", users, members))).rejects.toThrow(`${path}: ${reason}`);
  expect(host.prepare("SELECT count(*) FROM im_admin_table_map").pluck().get()).toBe(0);
});

const leftOut = "name it in also, so that im-admin notices its writes, or leave it out of the map";

it.each<[object, string, string?]>([
  [{ fields: { nickname: "(SELECT name FROM names WHERE person = id)" } }, `users.nickname reads names: ${leftOut}`],
  [{ fields: { appMangerLevel: "EXISTS (SELECT 1 FROM names)" } }, `users.appMangerLevel reads names: ${leftOut}`],
  [{ where: "id IN (SELECT member.person FROM member, names)" }, `users.where reads member: ${leftOut}`],
  [{ from: "(SELECT * FROM person) AS people" }, `users.from reads person: ${leftOut}`],
  [
    { where: "seen = (SELECT max(seen) FROM person other WHERE other.name = person.name)" },
    "users.where reads other rows of person: name it in also, so that im-admin notices their writes, or name the column that grows in latest",
  ],
  [{ where: "id IN (SELECT a FROM known)" }, `users.where reads names: ${leftOut}`, "through a view"],
  [{ fields: { nickname: "(SELECT x FROM found)" } }, `users.nickname reads found: ${leftOut}`],
])("SQLite refuses %j", async (users, message, through) => {
  const { install } = openHostFile(`${tables("")}; CREATE VIEW known AS SELECT person AS a FROM names;
    CREATE VIRTUAL TABLE found USING fts5 (x)`);
  const map = mapWith("", users);
  await expect(install(map)).rejects.toThrow(new Error(message));
  const named = through === undefined ? message : `users.where reads known: ${leftOut}`;
  expect(() => tablesSql(map, { engine: "sqlite" })).toThrow(new TypeError(named));
});

it.each<[object, string]>([
  [
    { from: "known", key: { userID: "a" } },
    "users.from: known is a view: write (SELECT * FROM known) AS known, and name its tables in also",
  ],
  [
    { also: [{ table: "known", key: { userID: "a" } }] },
    "users.also[0].userID: known is a view: name the tables that it reads",
  ],
])("SQLite refuses a view in %j", async (users, message) => {
  const { install } = openHostFile(`${tables("")}; CREATE VIEW known AS SELECT person AS a FROM names`);
  await expect(install(mapWith("", users))).rejects.toThrow(new Error(message));
});

it.each([
  ["datetime('now')", "users.where: the time decides, and no write tells im-admin when it does"],
  ["datetime('NOW')", "users.where: the time decides, and no write tells im-admin when it does"],
  ["unixepoch()", "users.where: the time decides, and no write tells im-admin when it does"],
  ["CURRENT_DATE", "users.where: the time decides, and no write tells im-admin when it does"],
  ["random()", "users.where: random() differs from call to call"],
])("SQLite refuses a view with %s", async (expression, message) => {
  const { install } = openHostFile(`${tables("")}; CREATE VIEW today AS SELECT ${expression} AS x`);
  await expect(install(mapWith("", { where: "seen > (SELECT x FROM today)" }))).rejects.toThrow(new Error(message));
});

it("SQLite takes queries of other rows, the greater of two values, and the time in fields that are only shown", async () => {
  const { install, store } = openHostFile(`${tables("")}; CREATE VIEW known AS SELECT person AS a, name FROM names`);
  const users = {
    where:
      "EXISTS (SELECT 1 FROM known WHERE known.name = person.name) OR name = 'random()' OR unixepoch(seen, 'subsec') > 0",
    fields: {
      nickname: "(SELECT max(name) FROM known)",
      appMangerLevel: "max(level, 1)",
      faceURL: "(SELECT max(role) FROM member)",
      ex: "datetime('now')",
    },
    also: [{ table: "names", key: { userID: "person" } }],
  };
  const groups = { from: "member", key: { groupID: "room" }, where: "person = (SELECT min(id) FROM person)" };
  await install({ ...mapWith("", users), groups });
  expect(() => tablesSql({ ...mapWith("", users), groups }, { engine: "sqlite" })).not.toThrow();
  const accounts = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
  expect(accounts.total).toBe(0);
});
