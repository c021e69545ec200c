import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../../src/stores/postgres/upkeep/checkAll.js";
import { assertAgreement } from "../../../helpers/agreement.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";

/** What a host may have set for its sessions, its roles or its database, and what changes what statements mean or do. */
const settings = [
  "array_nulls=off",
  "check_function_bodies=off",
  "DateStyle=German",
  "from_collapse_limit=1",
  "geqo_threshold=2",
  "gin_fuzzy_search_limit=50",
  "jit_above_cost=0",
  "join_collapse_limit=1",
  "min_parallel_table_scan_size=0",
  "parallel_setup_cost=0",
  "parallel_tuple_cost=0",
  "plan_cache_mode=force_custom_plan",
  "plpgsql.extra_errors=all",
  "plpgsql.variable_conflict=use_column",
  "search_path=elsewhere",
  "standard_conforming_strings=off",
  "transform_null_equals=on",
  "work_mem=64kB",
];

let server: PostgresServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres();
  const options = settings.map((setting) => `-c ${setting}`).join(" ");
  const { host, user, database, connectionString } = server.pool.options;
  pool = new pg.Pool({ host, user, database, connectionString, options });
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

it("answers as ever in sessions that a host has set up for itself", () =>
  assertAgreement(() => openMigrated(pool), 30));

it("answers as ever where a host parses all but texts in its own way", async () => {
  const parserOf = (oid: number) => (value: string) => (oid === pg.types.builtins.TEXT ? value : { oid, value });
  const own = new pg.Pool({
    ...server.pool.options,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  onTestFinished(() => own.end());
  expect((await own.query("SELECT 1 AS one")).rows).toEqual([{ one: { oid: 23, value: "1" } }]);
  await assertAgreement(() => openMigrated(own), 30);
  expect(await checkLists(own, quoted("im_admin"))).toEqual([]);
});

it("counts everybody whom a search finds, where a host's own searches may do with some of them", async () => {
  await openMigrated(pool);
  const groupMembers = Array.from({ length: 64_000 }, (_, index) => ({
    groupID: "g1",
    userID: `u${index}`,
    nickname: ["Ann Bell", "王芳"][index % 16] ?? "",
  }));
  const store = createPostgresStore({ pool });
  await store.put({ groups: [{ groupID: "g1" }], groupMembers });
  await migratePostgres(pool);
  const totals = [];
  for (const keyword of ["ann", "bell", "王芳", "芳", "王"]) {
    totals.push((await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 1 }))?.total);
  }
  expect(totals).toEqual([4000, 4000, 4000, 4000, 4000]);
});
