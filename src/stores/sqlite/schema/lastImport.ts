/** Up to when a copy has what another server has. */
import { type Moved, Overtaken, type Place } from "../../following.js";
import type { Row, SqlDatabase, Statement } from "../database.js";
import { ourName, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

/**
 * Its table. A copy that follows the other server has a token, which names a place in the changes of that server. Both
 * are nowhere else, so a repair keeps the table.
 */
export const lastImportTable: SchemaObject = {
  type: "table",
  name: ourName("lastImport"),
  sql: sql`
    CREATE TABLE im_admin_last_import (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      time INTEGER,
      token TEXT
    )`,
};

/**
 * Which document of the other server each record is from: changes of a document may name no more than its ID. Several
 * documents may have one key.
 */
export const followedTable: SchemaObject = {
  type: "table",
  name: ourName("followed"),
  sql: sql`
    CREATE TABLE im_admin_followed (
      record TEXT NOT NULL,
      id TEXT NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (record, id),
      UNIQUE (record, key, id)
    ) WITHOUT ROWID`,
};

export async function place(database: SqlDatabase): Promise<Place> {
  const [[row] = []] = await database.read([selectPlace]);
  return placeOf(row);
}

const selectPlace = sql`SELECT time, token FROM im_admin_last_import`;

function placeOf({ time, token }: Row = {}): Place {
  return { time: time == null ? undefined : Number(time), token: token == null ? undefined : String(token) };
}

/** Moves the place of a copy, as a part of a write. */
export function* moving({ from, to, time }: Moved): Generator<Statement, void, Row[] | undefined> {
  const now = placeOf((yield selectPlace)?.[0]);
  if (now.token !== from) throw new Overtaken();
  yield notePlace(time ?? now.time ?? null, to);
}

function notePlace(time: number | null, token: string | null): Statement {
  return sql`
    INSERT INTO im_admin_last_import (id, time, token) VALUES (1, ${time}, ${token})
      ON CONFLICT (id) DO UPDATE SET time = excluded.time, token = excluded.token`;
}

/** Notes an import: the copy follows nothing now. `time` is when it began, if it was complete. */
export async function noteImport(database: SqlDatabase, time?: number): Promise<void> {
  await database.write([
    time === undefined ? sql`UPDATE im_admin_last_import SET token = NULL` : notePlace(time, null),
  ]);
}
