/** Databases for Synapse. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { run } from "./synapse.mjs";

/**
 * Each function makes a database, and returns where im-admin and Synapse find it, what describes its schema, and what
 * its server logs of statements of Synapse that have failed in im-admin's triggers.
 */
export const databases = {
  SQLite(folder) {
    const path = join(folder, "homeserver.db");
    return {
      db: path,
      settings: { name: "sqlite3", args: { database: path } },
      schema() {
        const database = new Database(path, { readonly: true });
        const sql = database
          .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
          .pluck()
          .all();
        const numbers = ["application_id", "user_version"].map((name) => database.pragma(name, { simple: true }));
        database.close();
        return [...numbers, ...sql].join("\n");
      },
      errors: () => [],
    };
  },
  async PostgreSQL() {
    const { POSTGRES_BIN: bin, POSTGRES_FOLDER: host } = process.env;
    const name = "synapse";
    const client = new pg.Client({ host, user: "postgres", database: "postgres" });
    await client.connect();
    await client.query(`CREATE ROLE ${name} LOGIN`);
    await client.query(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`);
    await client.end();
    return {
      db: `postgres:///${name}?host=${host}&user=${name}&application_name=im-admin`,
      settings: { name: "psycopg2", args: { host, user: name, dbname: name } },
      schema() {
        const dump = run(join(bin, "pg_dump"), ["--schema-only", `--host=${host}`, `--username=${name}`, name]);
        // Newer versions of pg_dump write a new random word each time.
        return dump.replace(/^\\(un)?restrict .*$/gm, "");
      },
      errors() {
        const entries = readFileSync(join(host, "log"), "utf8").split(/\n(?!\t)/);
        return entries.filter((entry) => entry.includes("im_admin") && !entry.startsWith("im-admin "));
      },
    };
  },
};
