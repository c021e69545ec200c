/** Citus distributes tables, and then answers wrong lists without a word. Its catalogue tells which tables these are. */
import { expect, it } from "vitest";
import { migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { startPostgres } from "../../helpers/postgres/server.js";

it("says so where Citus distributes a table of im-admin, and does nothing", async () => {
  const { pool, url, stop } = await startPostgres();
  try {
    await migratePostgres(pool);
    const client = await pool.connect();
    await client.query(
      "SET allow_system_table_mods = on; CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass)",
    );
    await client.query(
      "CREATE TABLE public.messages (id int); INSERT INTO pg_dist_partition VALUES ('public.messages')",
    );
    client.release();
    await migratePostgres(pool);
    expect(await checkLists(pool, quoted("im_admin"))).toEqual([]);

    await pool.query("INSERT INTO pg_dist_partition VALUES ('im_admin.groups')");
    const problem = "Citus distributes im_admin.groups: lists would be wrong, as docs/postgres.md says";
    const advice = "make them local tables by undistribute_table(), and give each tenant a server of its own";
    await expect(migratePostgres(pool)).rejects.toThrow(`${problem}: ${advice}`);
    expect(await checkLists(pool, quoted("im_admin"))).toEqual([{ kind: "unmendable", problem, count: 1, advice }]);
    for (const command of [["migrate"], ["migrate", "--check"], ["check"]]) {
      const { status, stderr } = await imAdmin([...command, "--db", url]);
      expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
    }
  } finally {
    await stop();
  }
});
