/** A whole group is loaded into a database that has nothing yet. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createPostgresStore, settlePostgres } from "../../../src/stores/postgres/index.js";
import { largeGroupMembers } from "../../data.js";
import type { Trial } from "../../trial.js";
import type { World } from "../../world.js";
import { poolOf } from "../build.js";

type Load = (pool: pg.Pool, file: string, world: World) => Promise<void>;

const copyTo =
  (schema: string): Load =>
  async (pool, file) => {
    await pool.query(`COPY ${schema}.group_members FROM '${file}'`);
    if (schema === "im_admin") await settlePostgres(pool);
  };

const put: Load = async (pool, _file, { scale }) => {
  const groupMembers = largeGroupMembers(scale.loadedMembers, "orderly");
  await createPostgresStore({ pool, settle: false }).put({ groupMembers });
  await settlePostgres(pool);
};

const contestants: Readonly<Record<string, { schema: string; load: Load }>> = {
  "COPY, without upkeep": { schema: "plain", load: copyTo("plain") },
  "COPY, settled": { schema: "im_admin", load: copyTo("im_admin") },
  "put, settled": { schema: "im_admin", load: put },
};

export const bulkTrial: Trial = {
  name: "a whole group is loaded",
  contestants: Object.keys(contestants),
  databases: [],
  unit: "ms",
  async measure(contestant, world) {
    const { postgres = "", folder } = world;
    const { schema, load } = contestants[contestant] ?? { schema: "plain", load: put };
    const server = new pg.Pool({ host: postgres, user: "postgres", database: "postgres", max: 1 });
    const file = await exported(postgres, folder);
    await server.query("CREATE DATABASE loaded TEMPLATE empty");
    const pool = new pg.Pool({ host: postgres, user: "postgres", database: "loaded", max: 1 });
    const start = performance.now();
    await load(pool, file, world);
    const value = performance.now() - start;
    const { rows } = await pool.query(`SELECT count(*) AS total FROM ${schema}.group_members`);
    await pool.end();
    await server.query("DROP DATABASE loaded");
    await server.end();
    return { value, mean: value, p99: value, calls: 1, answers: rows[0].total };
  },
};

/** The members of the large group in a file that the server may read and write. */
async function exported(host: string, folder: string): Promise<string> {
  chmodSync(folder, 0o755);
  const shared = join(folder, "shared");
  mkdirSync(shared, { recursive: true });
  chmodSync(shared, 0o777);
  const file = join(shared, "members");
  const pool = poolOf(host, "pages");
  await pool.query(`COPY (SELECT * FROM plain.group_members WHERE group_id = 'large') TO '${file}'`);
  await pool.end();
  return file;
}
