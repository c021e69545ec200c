/** Finds what a map and a database do not agree on, and names the part of the map. */

import type { TableMap } from "../../../tables/map.js";
import type { SqlDatabase } from "../database.js";
import { isSame } from "../schema/storedSchema.js";
import { duplicatesOf } from "./checks.js";
import { type FieldCheck, fieldChecks, requireNoticed, requireSteady } from "./fieldChecks.js";
import { programsOf } from "./program.js";
import { tablesIn } from "./sqlWords.js";

type Reading = Pick<SqlDatabase, "read">;

/** A part of the map that the database does not have, or on which no list may depend. */
interface Misfit {
  record: string | undefined;
  /** Names the part. */
  error: Error;
  reason: string;
}

export async function misfitsOf(database: Reading, map: TableMap): Promise<Misfit[]> {
  const { explain, views, virtual, opened, called } = await programsOf(database);
  const misfits: Misfit[] = [];
  for (const check of fieldChecks(map)) {
    try {
      requireNoView(check, views);
      const [program = []] = await database.read([explain(check.statement.text)]);
      const isDeciding = check.deciding !== undefined;
      requireSteady(check.path, called(program), isDeciding);
      requireNoticed(check, [
        ...opened(program),
        ...tablesIn(check.deciding?.text ?? "").filter((read) => virtual.some((table) => isSame(table, read))),
      ]);
    } catch (cause) {
      const reason = (cause as Error).message;
      // Errors of the database do not name the part.
      const message = cause instanceof TypeError ? reason : `${check.path}: ${reason}`;
      misfits.push({ record: check.path.split(".")[0], error: new Error(message, { cause }), reason });
    }
  }
  return misfits;
}

function requireNoView({ path, watched = "" }: FieldCheck, views: readonly string[]): void {
  if (!views.some((view) => isSame(view, watched))) return;
  const advice = path.includes(".also[")
    ? "name the tables that it reads"
    : `write (SELECT * FROM ${watched}) AS ${watched}, and name its tables in also`;
  throw new TypeError(`${path}: ${watched} is a view: ${advice}`);
}

/** Says which keys several records have; undefined if there are none. */
async function duplicatesIn(database: Reading, map: TableMap): Promise<string | undefined> {
  for (const [record, { problem, examples, advice }] of duplicatesOf(map)) {
    const [rows = []] = await database.read([examples]);
    if (rows.length === 0) continue;
    const named = rows.map(({ example }) => example).join("; ");
    return `${record}: ${problem} (${rows[0]?.["count"]}, such as ${named}): ${advice}`;
  }
  return undefined;
}

/** Why the rows of the tables cannot be listed: records with one key, or an expression that fails for a row. */
export async function failureOf(database: Reading, map: TableMap): Promise<Error | undefined> {
  for (const { path, rows } of fieldChecks(map)) {
    try {
      await database.read([rows]);
    } catch (cause) {
      return new Error(`${path}: ${(cause as Error).message}`, { cause });
    }
  }
  const duplicates = await duplicatesIn(database, map);
  return duplicates === undefined ? undefined : new Error(duplicates);
}
