/** A chat server on PostgreSQL. */
import { createHash } from "node:crypto";
import pg from "pg";
import { settlePostgres } from "../../src/stores/postgres/index.js";
import { overHost, poolOf } from "../postgres/build.js";
import type { World } from "../world.js";
import type { Host, Way } from "./host.js";
import type { Statement } from "./writes.js";

/** The schemas with the tables that are written, and where im-admin has the lists over them. */
const listsOf = { plain: undefined, mapped: overHost.schema, own: undefined, im_admin: "im_admin" } as const;
export type Schema = keyof typeof listsOf;

/** Opens a connection that finds the tables in a schema. */
export async function openPostgres({ postgres = "" }: World, schema: Schema, way: Way): Promise<Host> {
  const client = new pg.Client({ host: postgres, user: "postgres", database: "hosts" });
  await client.connect();
  await client.query(`SET search_path = ${schema}`);
  if (way === "without waiting for the disk") await client.query("SET synchronous_commit = off");
  const pool = poolOf(postgres, "hosts");

  const run = ([text, ...values]: Statement) =>
    client.query(way === "prepared each time" ? { text, values } : { name: nameOf(text), text, values });
  async function write(statements: readonly Statement[]): Promise<number> {
    let rows = 0;
    if (statements.length > 1) await client.query("BEGIN");
    for (const statement of statements) rows += (await run(statement)).rowCount ?? 0;
    if (statements.length > 1) await client.query("COMMIT");
    return rows;
  }
  async function counted(): Promise<{ rows: number; bytes: number }> {
    const { rows } = await client.query(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes,
      (SELECT sum(n_tup_ins) FROM pg_stat_xact_user_tables WHERE schemaname IN ('im_admin', '${overHost.schema}')) AS rows`);
    return { rows: Number(rows[0].rows), bytes: Number(rows[0].bytes) };
  }

  return {
    write,
    async tidy(statements) {
      for (const statement of statements) await client.query(statement);
      const lists = listsOf[schema];
      if (lists !== undefined) await settlePostgres(pool, { schema: lists });
    },
    async costOf(statements) {
      await client.query("BEGIN");
      const before = await counted();
      for (const statement of statements) await run(statement);
      const after = await counted();
      await client.query("ROLLBACK");
      return { rowsWritten: after.rows - before.rows, walBytes: after.bytes - before.bytes };
    },
    async close() {
      await client.end();
      await pool.end();
    },
  };
}

/** A name for a prepared statement, which the server does not cut. */
function nameOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
