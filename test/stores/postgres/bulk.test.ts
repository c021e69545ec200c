import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
let made: unknown[];
beforeAll(async () => {
  server = await startPostgres();
  await migratePostgres(server.pool);
  // It would be somebody who uses the table.
  await server.pool.query("ALTER TABLE im_admin.group_members SET (autovacuum_enabled = off)");
  made = await indexesAndTriggers();
});
afterAll(() => server.stop());

beforeEach(() => openMigrated(server.pool, { groups: [{ groupID: "g1" }] }));

const members = (count: number, prefix = "u") =>
  Array.from({ length: count }, (_, index) => ({
    groupID: "g1",
    userID: `${prefix}${String(index).padStart(5, "0")}`,
    joinTime: index,
    nickname: index % 1000 ? "" : "Nick",
  }));

const users = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ userID: `u${index}`, appMangerLevel: index % 10 ? 1 : 3 }));

/** All but their numbers. */
async function indexesAndTriggers(): Promise<unknown[]> {
  const { rows } = await server.pool.query(`
    SELECT indexdef AS made, true AS is_enabled FROM pg_indexes WHERE schemaname = 'im_admin'
    UNION ALL
    SELECT pg_get_triggerdef(pg_trigger.oid), tgenabled = 'O'
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE relnamespace = 'im_admin'::regnamespace
    ORDER BY made`);
  return rows;
}

/** What tells one index from another of the same name. */
async function orderOfMembers(): Promise<unknown> {
  const { rows } = await server.pool.query("SELECT 'im_admin.group_members_in_order'::regclass::oid AS number");
  return rows[0].number;
}

/** Who is at the end of the list, how many there are, how many have the nickname, and whether all is as it was made. */
async function outcome() {
  await migratePostgres(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  const list = (keyword: string, offset: number) =>
    store
      .listGroupMembers({ groupID: "g1", keyword, offset, limit: 1 })
      .then((page) => page ?? { total: -1, items: [] });
  const { total } = await list("", 0);
  const { rows } = await server.pool.query("SELECT is_counted FROM im_admin.lists WHERE list = 1 AND owner = 'g1'");
  expect(await checkLists(server.pool, quoted("im_admin"))).toEqual([]);
  expect(await indexesAndTriggers()).toEqual(made);
  return {
    total,
    last: (await list("", Math.max(total - 1, 0))).items[0]?.userID,
    named: (await list("nick", 0)).total,
    isCounted: rows[0]?.is_counted,
  };
}

const all = { total: 12_000, last: "u11999", named: 12, isCounted: true };

function* generated<Item>(items: readonly Item[]): Generator<Item> {
  yield* items;
}

it("counts and finds what many records have filled an empty table with, the last one of each key", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const before = await orderOfMembers();
  const again = [1, 2].map((joinTime) => ({ groupID: "g1", userID: "u00003", joinTime, nickname: "Nick" }));
  await store.put({ users: generated(users(11_000)), groupMembers: generated([...members(12_000), ...again]) });
  expect(await outcome()).toEqual({ ...all, named: 13 });
  expect(await orderOfMembers()).not.toBe(before);
  const { rows } = await server.pool.query(
    "SELECT join_time::integer AS time FROM im_admin.group_members WHERE user_id = 'u00003'",
  );
  expect(rows).toEqual([{ time: 2 }]);
  expect((await store.listNotificationAccounts({ keyword: "", offset: 1099, limit: 1 })).items[0]?.userID).toBe(
    "u9990",
  );
});

it("has managers receive requests, and members found by names, where tables are filled after those that they belong to", async () => {
  const store = createPostgresStore({ pool: server.pool });
  await store.put({ groupRequests: [{ groupID: "g1", userID: "asks", reqTime: 1 }] });
  await store.put({ groupMembers: [...members(12_000), { groupID: "g1", userID: "v", roleLevel: 100 }] });
  const profiles = members(12_000).map(({ userID }) => ({ userID, nickname: userID === "u00777" ? "Zoë" : "Nobody" }));
  await store.put({ users: generated([...profiles, { userID: "v" }]) });
  const page = { offset: 0, limit: 2 };
  expect(await store.listReceivedGroupRequests({ userID: "v", ...page })).toMatchObject({
    total: 1,
    items: [{ userInfo: { userID: "asks" } }],
  });
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "zoë", ...page })).toMatchObject({
    total: 1,
    items: [{ userID: "u00777" }],
  });
  expect(await outcome()).toEqual({ ...all, total: 12_001 });
});

it("leaves everything as it was where a record late among many does not fit", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const groupMembers = [...members(12_000), { groupID: "g1", userID: "u1", roleLevel: -1 }];
  await expect(store.put({ groupMembers })).rejects.toThrow("groupMembers[12000].roleLevel must be an integer");
  expect(await outcome()).toEqual({ total: 0, last: undefined, named: 0, isCounted: undefined });
});

it.each([
  ["somebody reads it", "BEGIN; SELECT count(*) FROM im_admin.group_members", "COMMIT"],
  ["somebody alters users", "BEGIN; LOCK TABLE im_admin.users IN ACCESS EXCLUSIVE MODE", "COMMIT"],
  ["somebody writes it", "BEGIN; INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g2', 'u1')", "COMMIT"],
])("fills an empty table while %s, without waiting", async (_, begin, end) => {
  const other = await server.pool.connect();
  onTestFinished(() => other.release(true));
  await other.query(begin);
  await createPostgresStore({ pool: server.pool }).put({ groupMembers: members(12_000) });
  await other.query(end);
  expect(await outcome()).toEqual(all);
});

it("fills an empty table that a host has a trigger on, or that belongs to somebody else", async () => {
  await server.pool.query(`
    CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.noted SELECT count(*) FROM written; RETURN NULL; END $$;
    CREATE TABLE public.noted (count bigint);
    CREATE TRIGGER host AFTER INSERT ON im_admin.group_members REFERENCING NEW TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION public.note()`);
  await createPostgresStore({ pool: server.pool }).put({ groupMembers: members(12_000) });
  const { rows } = await server.pool.query("SELECT sum(count)::integer AS sum FROM public.noted");
  await server.pool.query(
    "DROP TRIGGER host ON im_admin.group_members; DROP TABLE public.noted; DROP FUNCTION public.note",
  );
  expect(rows).toEqual([{ sum: 12_000 }]);
  expect(await outcome()).toEqual(all);

  await server.pool.query(`
    TRUNCATE im_admin.group_members;
    CREATE ROLE filler; GRANT USAGE ON SCHEMA im_admin TO filler;
    GRANT SELECT, INSERT, UPDATE ON im_admin.group_members TO filler`);
  const pool = new pg.Pool({ ...server.pool.options, options: "-c role=filler" });
  onTestFinished(async () => {
    await pool.end();
    await server.pool.query("DROP OWNED BY filler; DROP ROLE filler");
  });
  await createPostgresStore({ pool }).put({ groupMembers: members(12_000) });
  expect(await outcome()).toEqual(all);
});

it("keeps an index that its owner has marked", async () => {
  await server.pool.query("ALTER TABLE im_admin.group_members CLUSTER ON group_members_in_order");
  await createPostgresStore({ pool: server.pool }).put({ groupMembers: members(12_000) });
  const { rows } = await server.pool.query(
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indisclustered",
  );
  await server.pool.query("ALTER TABLE im_admin.group_members SET WITHOUT CLUSTER");
  expect(rows).toEqual([{ name: "im_admin.group_members_in_order" }]);
  expect(await outcome()).toEqual(all);
});

it("has no deadlock between those who fill empty tables in other orders", async () => {
  const store = createPostgresStore({ pool: server.pool });
  await Promise.all([
    store.put({ users: generated(users(11_000)), groupMembers: generated(members(10_000)) }),
    store.put({ groupMembers: generated(members(10_000, "v")), users: generated([{ userID: "other" }]) }),
  ]);
  expect(await outcome()).toEqual({ ...all, total: 20_000, last: "v09999", named: 20, isCounted: true });
  const { rows } = await server.pool.query("SELECT count(*)::integer AS users FROM im_admin.users");
  expect(rows).toEqual([{ users: 11_001 }]);
});
