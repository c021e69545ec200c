/** Up to when a copy has what another server has. */
import { type Moved, Overtaken, type Place } from "../../following.js";
import { type PostgresConnection, type PostgresPool, type Queryable, run, transaction } from "../database.js";
import { type Sql, sql } from "../sql.js";

export async function place(queryable: Queryable, schema: Sql): Promise<Place> {
  const [row] = await run(queryable, sql`SELECT time::text, token FROM ${schema}.last_import`);
  const { time, token } = row ?? {};
  return { time: time == null ? undefined : Number(time), token: token == null ? undefined : String(token) };
}

/** Moves the place of a copy, within a transaction. Others who would move it wait until that ends. */
export async function move(connection: PostgresConnection, schema: Sql, { from, to, time }: Moved): Promise<void> {
  const now = await lockedPlace(connection, schema);
  if (now.token !== from) throw new Overtaken();
  await notePlace(connection, schema, time ?? now.time ?? null, to);
}

/** Notes an import: the copy follows nothing now. `time` is when it began, if it was complete. */
export async function noteImport(pool: PostgresPool, schema: Sql, time?: number): Promise<void> {
  await transaction(pool, async (connection) => {
    const now = await lockedPlace(connection, schema);
    await notePlace(connection, schema, time ?? now.time ?? null, null);
  });
}

async function lockedPlace(connection: PostgresConnection, schema: Sql): Promise<Place> {
  await run(connection, sql`LOCK TABLE ${schema}.last_import IN SHARE ROW EXCLUSIVE MODE`);
  return place(connection, schema);
}

async function notePlace(connection: PostgresConnection, schema: Sql, time: number | null, token: string | null) {
  await run(connection, sql`DELETE FROM ${schema}.last_import`);
  await run(connection, sql`INSERT INTO ${schema}.last_import (time, token) VALUES (${time}, ${token})`);
}
