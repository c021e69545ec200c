/** Owners of mapped tables who would like to run code with the rights of the role that installed the map. */
import type pg from "pg";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { isEmpty } from "../../../../src/stores/postgres/records/read.js";
import { danglingReferences } from "../../../../src/stores/postgres/records/references.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../../src/stores/postgres/upkeep/checkAll.js";
import { checkMap, installMap, renewalOf } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { repairLists } from "../../../../src/stores/postgres/upkeep/repair.js";
import { type TableMap, tablesSql } from "../../../../src/stores/tablesSql.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, poolWith, settle, settleOnce } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
const schema = quoted("im_admin");
const name = "(SELECT max(name) FROM chat.names WHERE names.person = person.id)";

const map: TableMap = {
  users: {
    from: "chat.person",
    key: { userID: "id" },
    fields: { nickname: name },
    also: [{ table: "chat.names", key: { userID: "person" } }],
  },
};

/** Roles are of the whole server, which other test files share. */
const roles = ["rights_owner", "rights_mallory"] as const;
const [owner, mallory] = roles;

/**
 * A function of Mallory's that counts how often it runs with the rights of another. A sequence keeps the count after a
 * rollback, and anybody may count.
 */
const evil = `
  CREATE SEQUENCE public.stolen;
  GRANT ALL ON SEQUENCE public.stolen TO PUBLIC;
  CREATE FUNCTION mallory.steal() RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    IF current_user <> '${mallory}' THEN PERFORM nextval('public.stolen'); END IF;
    RETURN 1;
  END $$;
  ALTER FUNCTION mallory.steal OWNER TO ${mallory}`;

beforeEach(async () => {
  const dropped = async () => {
    await server.pool.query(
      "DROP SCHEMA IF EXISTS im_admin, chat, mallory CASCADE; DROP SEQUENCE IF EXISTS public.stolen",
    );
    for (const role of roles) {
      const { rows } = await server.pool.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
      if (rows.length > 0) await server.pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    }
  };
  await dropped();
  onTestFinished(dropped);
  await server.pool.query(`
    CREATE ROLE ${owner}; CREATE ROLE ${mallory};
    CREATE SCHEMA chat AUTHORIZATION ${owner};
    CREATE SCHEMA mallory AUTHORIZATION ${mallory};
    GRANT ALL ON SCHEMA chat TO ${mallory}; GRANT USAGE ON SCHEMA mallory TO PUBLIC;
    CREATE TABLE chat.person (id text PRIMARY KEY, extra integer);
    CREATE TABLE chat.names (person text PRIMARY KEY, name text);
    ALTER TABLE chat.person OWNER TO ${owner};
    ALTER TABLE chat.names OWNER TO ${owner};
    INSERT INTO chat.person SELECT 'u' || n FROM generate_series(1, 3) n;
    INSERT INTO chat.names SELECT id, 'Name of ' || id FROM chat.person;
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${owner}', current_database()); END $$;
    ${evil}`);
});

const as = (role: string): pg.Pool => poolWith(server.pool, { options: `-c role=${role}` });
const give = (table: string, role: string) => server.pool.query(`ALTER TABLE ${table} OWNER TO ${role}`);

/** How often Mallory's function ran with the rights of another. */
async function stolen(): Promise<number> {
  const { rows } = await server.pool.query(
    "SELECT CASE WHEN is_called THEN last_value::integer ELSE 0 END AS count FROM public.stolen",
  );
  return rows[0].count;
}

/** Uses the lists in all ways, by the role that installed the map and by a superuser, and returns what fails. */
async function useLists(installer: pg.Pool): Promise<string[]> {
  const failures: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch((error: Error) => failures.push(error.message));
  };
  for (const pool of [installer, server.pool]) {
    const store = createPostgresStore({ pool, settle: false });
    const page = { offset: 0, limit: 9 };
    const change = { userIDs: ["u1"], conversationID: "c", conversationType: 3, userID: "", groupID: "g" } as const;
    await attempt(() => store.listNotificationAccounts({ ...page, keyword: "u" }));
    await attempt(() => store.listGroupMembers({ ...page, groupID: "g", keyword: "" }));
    await attempt(() => store.listBlacks({ ...page, ownerUserID: "u1" }));
    await attempt(() => store.listJoinedGroups({ ...page, userID: "u1" }));
    await attempt(() => store.listReceivedGroupRequests({ ...page, userID: "u1" }));
    await attempt(() => store.setConversations({ ...change, fields: {} }));
    await attempt(() => store.conversations("u1"));
    await attempt(() => isEmpty(pool, schema));
    await attempt(() => danglingReferences(pool, schema));
    await attempt(() => settle(pool));
    await attempt(() => pool.query("SELECT im_admin.rebuild_lists()"));
    await attempt(async () => repairLists(pool, schema, undefined, await renewalOf(pool, schema)));
    for (const check of [checkLists, checkMap]) {
      await attempt(async () => failures.push(...(await check(pool, schema)).map(({ problem }) => problem)));
    }
  }
  return failures;
}

it("refuses a map over tables of another role, also for a superuser, and says whose they are", async () => {
  await give("chat.names", mallory);
  const refusal = (role: string) =>
    `the map would run code of others with the rights of ${role}: chat.names belongs to ${mallory}`;
  await server.pool.query(`GRANT SELECT, TRIGGER ON chat.names TO ${owner}`);
  await migratePostgres(as(owner));
  await expect(installMap(as(owner), schema, map)).rejects.toThrow(refusal(owner));
  await server.pool.query("DROP SCHEMA im_admin CASCADE");
  await migratePostgres(server.pool);
  await expect(installMap(server.pool, schema, map)).rejects.toThrow(
    `rights of postgres: chat.names belongs to ${mallory}, chat.person belongs to ${owner}`,
  );
  await expect(installMap(server.pool, schema, map, [owner])).rejects.toThrow(refusal("postgres"));
  const { install } = tablesSql(map, { engine: "postgres" });
  await expect(server.pool.query(install.join("\n"))).rejects.toThrow("the map would run code of others");
  await installMap(server.pool, schema, map, [owner, mallory]);
  expect((await checkMap(server.pool, schema)).filter(({ kind }) => kind !== "note")).toEqual([]);
});

it("lets only the owner of the schema install, repair and remove a map", async () => {
  await migratePostgres(as(owner));
  const refusal = `the tables of the schema im_admin belong to the role ${owner}: do this as that role`;
  await expect(installMap(server.pool, schema, map)).rejects.toThrow(refusal);
  await installMap(as(owner), schema, map);
  await expect(installMap(server.pool, schema)).rejects.toThrow(refusal);
  await installMap(as(owner), schema, map);
  await installMap(as(owner), schema);
});

it("refuses what reaches another role's code by a view, a function, a type or a partition", async () => {
  await migratePostgres(as(owner));
  await server.pool.query(`
    GRANT SELECT ON chat.names TO ${mallory};
    CREATE TABLE mallory.secret (person text, name text);
    CREATE TYPE mallory.mood AS ENUM ('good');
    CREATE DOMAIN mallory.word AS text;
    CREATE OPERATOR mallory.|+| (LEFTARG = text, RIGHTARG = text, FUNCTION = textcat);
    ALTER TABLE mallory.secret OWNER TO ${mallory};
    ALTER TYPE mallory.mood OWNER TO ${mallory};
    ALTER DOMAIN mallory.word OWNER TO ${mallory};
    ALTER OPERATOR mallory.|+| (text, text) OWNER TO ${mallory};
    GRANT SELECT ON mallory.secret TO ${owner};
    ALTER TABLE chat.person ADD COLUMN mood mallory.mood;
    CREATE TABLE chat.parted (id text) PARTITION BY LIST (id);
    CREATE TABLE mallory.part PARTITION OF chat.parted DEFAULT;
    ALTER TABLE chat.parted OWNER TO ${owner};
    ALTER TABLE mallory.part OWNER TO ${mallory};
    GRANT TRIGGER ON mallory.part TO ${owner};
    SET ROLE ${owner}; CREATE VIEW chat.seen AS SELECT * FROM mallory.secret; RESET ROLE`);
  const users = (from: string, nickname?: string): TableMap => ({
    users: { from, key: { userID: "id" }, ...(nickname === undefined ? {} : { fields: { nickname } }) },
  });
  const groups: TableMap = { groups: { from: "chat.seen", key: { groupID: "person" } } };
  for (const [refused, reason] of [
    [groups, `mallory.secret belongs to ${mallory}`],
    [users("chat.person", "mallory.steal()"), `mallory.steal belongs to ${mallory}`],
    [users("chat.person", "(mood = 'good')"), `mallory.mood belongs to ${mallory}`],
    [users("chat.person", "id::mallory.word"), `mallory.word belongs to ${mallory}`],
    [users("chat.person", "id OPERATOR(mallory.|+|) id"), `mallory.|+| belongs to ${mallory}`],
    [
      users("chat.person", "(SELECT max(name) FROM chat.seen)"),
      "users.nickname: reads mallory.secret: name it in also",
    ],
    [users("chat.parted"), `mallory.part belongs to ${mallory}`],
  ] as const) {
    await expect(installMap(as(owner), schema, refused)).rejects.toThrow(reason);
  }
  expect(await stolen()).toBe(0);
});

it("does not run a view that has taken the place of a second table", async () => {
  await give("chat.names", mallory);
  await migratePostgres(server.pool);
  await installMap(server.pool, schema, map, [owner, mallory]);
  await settle(server.pool);
  const hostile = as(mallory);
  await hostile.query(`
    ALTER TABLE chat.names RENAME TO old_names;
    CREATE VIEW chat.names AS SELECT person, name || mallory.steal() AS name FROM chat.old_names`);
  await hostile.query("INSERT INTO chat.old_names VALUES ('u9', 'Nine')");
  await as(owner).query("INSERT INTO chat.person VALUES ('u9')");
  expect(await stolen()).toBe(0);
  const failures = await useLists(server.pool);
  expect(failures.length).toBeGreaterThan(20);
  // A repair makes the triggers again, and a view cannot have them.
  const others = failures.filter((failure) => !failure.includes("chat.names is another table now"));
  expect(new Set(others)).toEqual(new Set([expect.stringContaining("users.nickname: reads chat.old_names")]));
  expect(await stolen()).toBe(0);
});

it("does not run the policies of a second table, and says so", async () => {
  await give("chat.names", mallory);
  await server.pool.query(`GRANT SELECT, TRIGGER ON chat.names TO ${owner}`);
  const installer = as(owner);
  await migratePostgres(installer);
  await installMap(installer, schema, map, [mallory]);
  await settle(installer);
  await as(mallory).query(`
    CREATE POLICY look ON chat.names USING (mallory.steal() = 1);
    ALTER TABLE chat.names ENABLE ROW LEVEL SECURITY`);
  await installer.query("INSERT INTO chat.person VALUES ('u9')");
  await as(mallory).query("INSERT INTO chat.names VALUES ('u9', 'Nine')");
  await expect(settleOnce(installer)).rejects.toThrow("row-level security");
  await useLists(installer);
  expect(await stolen()).toBe(0);
});

it.each(["chat.person", "chat.names"])("reads %s no more when it was given to somebody else", async (table) => {
  const installer = as(owner);
  await migratePostgres(installer);
  await installMap(installer, schema, map);
  await settle(installer);
  await give(table, mallory);
  await server.pool.query(`GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA chat TO ${owner}`);
  // The server computes the constant parts of index expressions when it plans any query of the table.
  const key = table === "chat.person" ? "id" : "person";
  await as(mallory).query(`CREATE INDEX ON ${table} ((${key} || mallory.steal())) WHERE mallory.steal() > 0`);
  await as(mallory).query(`INSERT INTO ${table} VALUES ('u9')`);
  const failures = await useLists(installer);
  expect(failures.length).toBeGreaterThan(20);
  expect(new Set(failures.filter((failure) => !failure.includes(`${table} belongs to ${mallory}`)))).toEqual(
    new Set([`the tables of the schema im_admin belong to the role ${owner}: do this as that role`]),
  );
  await installMap(installer, schema);
  expect(await stolen()).toBe(0);
});

it("calls no function of another role that fits better than the mapped one", async () => {
  const installer = as(owner);
  await migratePostgres(installer);
  await server.pool.query(`
    SET ROLE ${owner};
    CREATE FUNCTION chat.small(text) RETURNS text LANGUAGE sql IMMUTABLE RETURN lower($1);
    ALTER TABLE chat.names ALTER COLUMN name TYPE varchar;
    RESET ROLE`);
  const users = {
    ...(map as { users: object }).users,
    fields: { nickname: name.replace("max(name)", "max(chat.small(name))") },
  };
  await installMap(installer, schema, { users } as TableMap);
  await as(mallory).query(
    "CREATE FUNCTION chat.small(varchar) RETURNS text LANGUAGE sql IMMUTABLE RETURN mallory.steal()::text",
  );
  await installer.query("INSERT INTO chat.person VALUES ('u9'); INSERT INTO chat.names VALUES ('u9', 'Nine')");
  const failures = await useLists(installer);
  expect(failures).toContain(
    `chat.small belongs to ${mallory}: nothing of it is read until a map is installed anew by im-admin tables`,
  );
  expect(await stolen()).toBe(0);
});

it("reads no table of another schema that has taken the name of the mapped one's", async () => {
  const installer = as(owner);
  await migratePostgres(installer);
  await installMap(installer, schema, map);
  await server.pool.query(`
    ALTER SCHEMA chat OWNER TO ${mallory};
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${mallory}', current_database()); END $$;
    GRANT SELECT, INSERT ON chat.person TO ${mallory}`);
  await as(mallory).query(`
    ALTER SCHEMA chat RENAME TO old_chat;
    CREATE SCHEMA chat;
    GRANT USAGE ON SCHEMA chat TO ${owner};
    CREATE VIEW chat.names AS SELECT 'u1'::text AS person, mallory.steal()::text AS name;
    GRANT SELECT ON chat.names TO ${owner};
    INSERT INTO old_chat.person VALUES ('u9')`);
  expect(await useLists(installer)).toContain("chat.names is another table now");
  expect(await stolen()).toBe(0);
  await server.pool.query("DROP SCHEMA old_chat CASCADE");
});

it("uses no cast of a type that was given to somebody else", async () => {
  const installer = as(owner);
  await migratePostgres(installer);
  await server.pool.query(`
    SET ROLE ${owner};
    CREATE TYPE chat.mood AS ENUM ('good');
    ALTER TABLE chat.person ADD COLUMN mood chat.mood DEFAULT 'good';
    RESET ROLE`);
  await installMap(installer, schema, {
    users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "mood" } },
  });
  await server.pool.query(`ALTER TYPE chat.mood OWNER TO ${mallory}`);
  await as(mallory).query(`
    CREATE FUNCTION mallory.told(chat.mood) RETURNS text LANGUAGE sql RETURN mallory.steal()::text;
    CREATE CAST (chat.mood AS text) WITH FUNCTION mallory.told (chat.mood)`);
  await installer.query("INSERT INTO chat.person (id) VALUES ('u9')");
  expect(await useLists(installer)).toContain(`chat.mood belongs to ${mallory}`);
  expect(await stolen()).toBe(0);
});

it("reads no table of a trusted owner that a rule has made a view", async () => {
  await give("chat.person", mallory);
  const installer = as(owner);
  await migratePostgres(installer);
  await server.pool.query(`GRANT SELECT ON chat.person TO ${owner}`);
  // No trigger stands on the tables of groups.
  await installMap(installer, schema, { groups: { from: "chat.person", key: { groupID: "id" } } }, [mallory]);
  await server.pool.query("TRUNCATE chat.person; ALTER TABLE chat.person DROP CONSTRAINT person_pkey");
  const rule = `CREATE RULE "_RETURN" AS ON SELECT TO chat.person DO INSTEAD SELECT mallory.steal()::text AS id, 1 AS extra`;
  // PostgreSQL 15 allows it.
  const isView = await as(mallory)
    .query(`ALTER TABLE chat.person ALTER COLUMN id DROP NOT NULL; ${rule}`)
    .then(
      () => true,
      () => false,
    );
  const told = (await useLists(installer)).some((failure) => failure.includes("chat.person is not what it was"));
  expect([told, await stolen()]).toEqual([isView, 0]);
});

it("does not look up names among the temporary objects of those who write", async () => {
  const installer = as(owner);
  await migratePostgres(installer);
  await installMap(installer, schema, map);
  await server.pool.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA chat TO ${mallory}`);
  const connection = await connect(as(mallory));
  await connection.query(`
    CREATE TEMP VIEW list_changes AS SELECT mallory.steal() AS list;
    CREATE TEMP VIEW mapped_objects AS SELECT mallory.steal() AS kind;
    CREATE TEMP VIEW pg_class AS SELECT mallory.steal() AS oid;
    CREATE FUNCTION pg_temp.strpos(text, text) RETURNS integer LANGUAGE sql RETURN mallory.steal();
    SET search_path = pg_temp, mallory, pg_catalog;
    INSERT INTO chat.person VALUES ('u9');
    INSERT INTO chat.names VALUES ('u9', 'Nine');
    UPDATE chat.names SET name = 'Ten'`);
  expect(await stolen()).toBe(0);
  expect(await useLists(installer)).not.toContain(
    "triggers could not tell what was written, and lists are read slowly",
  );
});

it("goes on where the host gives a table to a role that can act as the owner", async () => {
  const installer = as(owner);
  await migratePostgres(installer);
  await installMap(installer, schema, map);
  await server.pool.query(`GRANT ${owner} TO ${mallory}`);
  await give("chat.person", mallory);
  await server.pool.query(`GRANT SELECT ON chat.person TO ${owner}`);
  await server.pool.query("INSERT INTO chat.person VALUES ('u9')");
  const store = createPostgresStore({ pool: server.pool });
  const listed = () => store.listJoinedGroups({ userID: "u9", offset: 0, limit: 1 });
  expect(await listed()).toEqual({ total: 0, items: [] });
  await server.pool.query("ALTER TABLE chat.person RENAME TO people");
  await expect(listed()).rejects.toThrow("chat.person is called chat.people now");
});
