/** The databases of the benchmark on PostgreSQL: im-admin's schema and a plain one, with the same rows. */
import pg from "pg";
import { createPostgresStore, migratePostgres, settlePostgres } from "../../src/stores/postgres/index.js";
import { type TablesSql, tablesSql } from "../../src/stores/tablesSql.js";
import { worldRecords } from "../data.js";
import { mapOf } from "../mapped.js";
import type { World } from "../world.js";

/** The settings of a server with a few gigabytes of its own. Commits wait for the disk. */
export const serverSettings = ["shared_buffers=4GB", "max_wal_size=4GB"];

/** Where pages are read, where rows are written, and where everything is still to be loaded. */
type DatabaseName = "postgres" | "pages" | "written" | "empty" | "loaded" | "hosts";

export function poolOf(host: string, database: DatabaseName, max = 1): pg.Pool {
  return new pg.Pool({ host, user: "postgres", database, max });
}

/** Reads all that a schema has into the server's memory, as if it had been asked for before. */
export async function warm(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(
    `SELECT pg_prewarm(stored.oid) FROM pg_class listed
      JOIN pg_class stored ON stored.oid IN (listed.oid, listed.reltoastrelid)
      WHERE listed.relnamespace = $1::text::regnamespace AND stored.relkind IN ('r', 'i', 't')`,
    [schema],
  );
}

/** What people make who keep nothing for their lists: an index in the order of each. */
export const plainIndexes = [
  "CREATE INDEX ON plain.users (user_id) WHERE app_manger_level >= 3",
  "CREATE INDEX ON plain.group_members (group_id, role_level DESC, join_time, user_id)",
  "CREATE INDEX ON plain.group_members (user_id, join_time DESC, group_id)",
  "CREATE INDEX ON plain.group_members (user_id, group_id) WHERE role_level IN (60, 100)",
  "CREATE INDEX ON plain.blacks (owner_user_id, create_time DESC, black_user_id)",
  "CREATE INDEX ON plain.group_requests (group_id, req_time DESC, user_id)",
];

const tables = ["users", "groups", "group_members", "blacks", "group_requests", "conversations"];

/** Makes the databases of {@link postgresTrials}. */
export async function* buildPostgres({ postgres: host = "", scale }: World): AsyncGenerator<string> {
  const server = poolOf(host, "postgres");
  await makeEmpty(server, host);
  await server.query("CREATE DATABASE pages TEMPLATE empty");
  const pool = poolOf(host, "pages");
  try {
    await createPostgresStore({ pool, settle: false }).put(worldRecords(scale));
    await settlePostgres(pool);
    for (const table of tables) {
      await pool.query(`INSERT INTO plain.${table} SELECT * FROM im_admin.${table}`);
      await pool.query(`INSERT INTO host.${table} SELECT * FROM im_admin.${table}`);
    }
    await installOverHost(pool);
    await pool.query("VACUUM ANALYZE");
    await pool.query("CHECKPOINT");
  } finally {
    await pool.end();
  }
  await server.query("CREATE DATABASE written TEMPLATE pages");
  await server.end();
  yield "PostgreSQL";
}

/** Where im-admin is whose lists are over the tables of `host`, which are like ours. */
export const overHost = { schema: "over_host" } as const;
const hostSql = tablesSql(mapOf("host."), { engine: "postgres", ...overHost });

export async function installOverHost(pool: pg.Pool, { install, build }: TablesSql = hostSql): Promise<void> {
  await inTransaction(pool, install);
  for (const statement of build) await pool.query(statement);
}

export async function removeFromHost(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, hostSql.remove);
}

async function inTransaction(pool: pg.Pool, statements: readonly string[]): Promise<void> {
  await pool.query(["BEGIN;", ...statements, "COMMIT;"].join("\n"));
}

async function makeEmpty(server: pg.Pool, host: string): Promise<void> {
  await server.query("CREATE DATABASE empty");
  const pool = poolOf(host, "empty");
  await migratePostgres(pool);
  await migratePostgres(pool, overHost);
  await pool.query("CREATE SCHEMA plain");
  await pool.query("CREATE SCHEMA host");
  await pool.query("CREATE EXTENSION pg_prewarm");
  for (const table of tables) {
    for (const schema of ["plain", "host"]) {
      await pool.query(
        `CREATE TABLE ${schema}.${table} (LIKE im_admin.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
      );
      await pool.query(`ALTER TABLE ${schema}.${table} ADD PRIMARY KEY (${keys[table]})`);
    }
  }
  for (const index of plainIndexes) await pool.query(index);
  // A host asks in any case whose groups they are.
  await pool.query("CREATE INDEX ON host.group_members (user_id)");
  await pool.end();
}

const keys: Readonly<Record<string, string>> = {
  users: "user_id",
  groups: "group_id",
  group_members: "group_id, user_id",
  blacks: "owner_user_id, black_user_id",
  group_requests: "group_id, user_id",
  conversations: "owner_user_id, conversation_id",
};
