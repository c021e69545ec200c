import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { type PostgresCluster, startCluster } from "./cluster.js";

/** An empty database in PostgreSQL, which nothing else uses. */
export interface PostgresServer {
  pool: pg.Pool;
  /** The URL of the database. */
  url: string;
  /** Ends the connections, and removes the database. */
  stop(): Promise<void>;
}

let shared: Promise<PostgresCluster> | undefined;

/**
 * Makes a database, whose sessions have these settings, on the server that `POSTGRES_URL` names, or on one that all
 * files of this process share.
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const url = process.env["POSTGRES_URL"] ?? "";
  if (url !== "") return makeDatabase(url, settings);
  shared ??= startCluster();
  const { folder } = await shared;
  return makeDatabase(`postgres:///postgres?host=${folder}&user=postgres`, settings);
}

/** Has the tests of a file share such a database, which is prepared before the first one and removed after the last one. */
export function postgresForFile(
  prepare: (pool: pg.Pool) => Promise<unknown> = async () => {},
  settings?: Readonly<Record<string, string>>,
): { readonly pool: pg.Pool } {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres(settings);
    await prepare(server.pool);
  });
  afterAll(() => server?.stop());
  return {
    get pool() {
      if (server === undefined) throw new Error("the database is there as soon as the first test begins");
      return server.pool;
    },
  };
}

async function makeDatabase(serverURL: string, settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const owner = new pg.Client({ connectionString: serverURL });
  await owner.connect();
  const name = `im_admin_test_${randomUUID().replaceAll("-", "")}`;
  // The order of text is one of a language here, so that a forgotten COLLATE "C" is found out.
  const order = "ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'und'";
  await owner.query(`CREATE DATABASE ${name} TEMPLATE template0 ${order}`);
  for (const [setting, value] of Object.entries(settings)) {
    await owner.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
  const url = Object.assign(new URL(serverURL), { pathname: name }).href;
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  return {
    pool,
    url,
    async stop() {
      await pool.end();
      await owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await owner.end();
    },
  };
}
