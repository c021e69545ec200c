import { beforeEach, expect, it } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { all, members, migrated, outcome } from "../../../helpers/postgres/bulk.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, poolOfRole } from "../../../helpers/postgres/sessions.js";

let made: unknown[];
const server = postgresForFile(async (pool) => {
  made = await migrated(pool);
});
beforeEach(() => openMigrated(server.pool, { groups: [{ groupID: "g1" }] }));

it.each([
  ["alters users", "BEGIN; LOCK TABLE im_admin.users IN ACCESS EXCLUSIVE MODE"],
  ["writes it", "BEGIN; INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g2', 'u1')"],
])("fills an empty table while somebody %s, without waiting", async (_, begin) => {
  const other = await connect(server.pool);
  await other.query(begin);
  await createPostgresStore({ pool: server.pool }).put({ groupMembers: members(12_000) });
  await other.query("COMMIT");
  expect(await outcome(server.pool)).toEqual({ ...all, made });
});

it("fills an empty table that a host has a trigger on", async () => {
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
  expect(await outcome(server.pool)).toEqual({ ...all, made });
});

it("fills an empty table that belongs to somebody else", async () => {
  const grants = `GRANT USAGE ON SCHEMA im_admin TO filler;
    GRANT SELECT, INSERT, UPDATE ON im_admin.group_members TO filler`;
  const pool = await poolOfRole(server.pool, "filler", grants);
  await createPostgresStore({ pool }).put({ groupMembers: members(12_000) });
  expect(await outcome(server.pool)).toEqual({ ...all, made });
});

it("keeps an index that its owner has marked", async () => {
  await server.pool.query("ALTER TABLE im_admin.group_members CLUSTER ON group_members_in_order");
  await createPostgresStore({ pool: server.pool }).put({ groupMembers: members(12_000) });
  const { rows } = await server.pool.query(
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indisclustered",
  );
  await server.pool.query("ALTER TABLE im_admin.group_members SET WITHOUT CLUSTER");
  expect(rows).toEqual([{ name: "im_admin.group_members_in_order" }]);
  expect(await outcome(server.pool)).toEqual({ ...all, made });
});

it("has no deadlock between those who fill empty tables in other orders", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const users = Array.from({ length: 11_000 }, (_, index) => ({ userID: `u${index}` }));
  await Promise.all([
    store.put({ users: users.values(), groupMembers: members(10_000).values() }),
    store.put({ groupMembers: members(10_000, "v").values(), users: [{ userID: "other" }].values() }),
  ]);
  expect(await outcome(server.pool)).toEqual({ ...all, total: 20_000, last: "v09999", named: 20, made });
  const { rows } = await server.pool.query("SELECT count(*)::integer AS users FROM im_admin.users");
  expect(rows).toEqual([{ users: 11_001 }]);
});
