import { randomUUID } from "node:crypto";
import pg from "pg";
import { fastSettings, startCluster } from "./cluster.js";

/** An empty database in PostgreSQL, which nothing else uses. */
export interface PostgresServer {
  pool: pg.Pool;
  /** The URL of the database. */
  url: string;
  /** Ends the connections, and removes the database. */
  stop(): Promise<void>;
}

/** Makes a database on the server that `POSTGRES_URL` names, or on one that is started for it with these settings. */
export async function startPostgres(settings = fastSettings): Promise<PostgresServer> {
  const url = process.env["POSTGRES_URL"] ?? "";
  if (url !== "") return makeDatabase(url);
  const { pool, folder, stop } = await startCluster({ settings });
  return { pool, url: `postgres:///postgres?host=${folder}&user=postgres`, stop };
}

async function makeDatabase(serverURL: string): Promise<PostgresServer> {
  const owner = new pg.Client({ connectionString: serverURL });
  await owner.connect();
  const name = `im_admin_test_${randomUUID().replaceAll("-", "")}`;
  // The order of text is one of a language here, so that a forgotten COLLATE "C" is found out.
  const order = "ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'und'";
  await owner.query(`CREATE DATABASE ${name} TEMPLATE template0 ${order}`);
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
