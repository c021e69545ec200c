/** Takes all of im-admin out of a file. */

import { type OnStep, told } from "../../steps.js";
import type { Row, SqlDatabase, Statement } from "../database.js";
import { recordIn } from "../schema/recordTables.js";
import { schemaOf } from "../schema/schema.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import {
  applicationID,
  drops,
  isSame,
  type StoredObject,
  selectStored,
  storedAs,
  storedOf,
  versionObject,
} from "../schema/storedSchema.js";
import { name, sql } from "../sql.js";

/**
 * Removes all that im-admin has made in a file: its schema is then as it was before. It runs in one transaction.
 *
 * @throws Error if records are in a table of im-admin's own, since they are nowhere else, or if something of the host
 *   depends on one
 */
export async function removeAll(given: SqlDatabase, onStep: OnStep = () => {}): Promise<void> {
  const { direct: database = given } = given;
  await database.write(removingAll(onStep));
  given.forgetMap?.();
}

function* removingAll(onStep: OnStep): Generator<Statement, void, Row[] | undefined> {
  const stored = storedOf((yield selectStored) ?? []);
  const made = madeIn(stored);
  requireNoDependent(stored, made);
  for (const table of made.filter((object) => recordIn(object) !== undefined && storedAs(stored, object))) {
    const rows = yield sql`SELECT 1 FROM ${name(table.name)} LIMIT 1`;
    if (rows?.length !== 0) {
      throw new Error(`${table.name} has records, which would be lost: export them first, and remove them`);
    }
  }
  yield* told(drops(stored, made), onStep);
  const marked = yield sql`PRAGMA application_id`;
  if (Number(marked?.[0]?.["application_id"]) === applicationID) yield sql`PRAGMA application_id = 0`;
}

function requireNoDependent(
  stored: readonly StoredObject[],
  made: readonly Pick<SchemaObject, "type" | "name">[],
): void {
  const named = new RegExp(`\\b(?:${made.map(({ name }) => name).join("|")})\\b`, "i");
  const dependent = stored.find(({ name, text }) => named.test(text) && !made.some((own) => isSame(own.name, name)));
  if (dependent === undefined) return;
  throw new Error(`the ${dependent.type} ${dependent.name} depends on a table of im-admin: drop it first`);
}

/** Tables by their names, since others may hold something of the host's; triggers and indexes of any map. */
function madeIn(stored: readonly StoredObject[]): Pick<SchemaObject, "type" | "name">[] {
  const tables = [versionObject, ...schemaOf()].filter(({ type }) => type === "table");
  const others = stored.flatMap(({ type, name }) =>
    (type === "trigger" || type === "index") && /^im_admin_[a-z0-9_]+$/.test(name) ? [{ type, name } as const] : [],
  );
  return [...tables, ...others];
}
