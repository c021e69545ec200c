/** What cannot be read of the changed rows, so that the others can be settled. */
import { type RecordName, recordKeys } from "../../../records.js";
import { rowsOf, type SqlDatabase } from "../database.js";
import { findUnreadable, type Key, type Without } from "../map/findUnreadable.js";
import { allFields, type Mark, markOf } from "../map/marks.js";
import { unreadableKind } from "../schema/changed.js";
import { hasKey } from "../schema/keys.js";
import { listed } from "../schema/listed.js";
import { columnsOf, join, literal, name, our, raw, type Sql, sql } from "../sql.js";
import { firstKeys } from "./changedKeys.js";

/** Has rows read again that have changed, also those for which a part of a key stands. They stand before those that settle. */
export function tryAgain(kinds: readonly string[]): Sql[] {
  if (!kinds.includes(unreadableKind)) return [];
  return [...kinds.filter((kind) => kind.includes(" ")).map(noteAgain), forgetMarks];
}

/** Forgets what could not be read of rows that have changed since. */
const forgetMarks: Sql = sql`
  DELETE FROM im_admin_unreadable WHERE EXISTS (
    SELECT 1 FROM im_admin_changed changed
      WHERE kind = record AND changed.first = im_admin_unreadable.first AND changed.second = im_admin_unreadable.second)`;

/** Tells reads whether something is unreadable. */
export const tellReads: readonly Sql[] = [
  sql`DELETE FROM im_admin_changed WHERE kind = ${literal(unreadableKind)}`,
  sql`
    INSERT INTO im_admin_changed
      SELECT ${literal(unreadableKind)}, '', '' WHERE EXISTS (SELECT 1 FROM im_admin_unreadable)`,
];

/** Notes what cannot be read. */
export function noteMarks(marks: readonly Mark[]): Sql[] {
  const noted = sql`INSERT OR REPLACE INTO im_admin_unreadable SELECT ${markOf} FROM json_each(${JSON.stringify(marks)})`;
  return [noted, ...tellReads];
}

/** Notes the unreadable rows for which a kind such as "groupMembers groupID" stands. */
function noteAgain(kind: string): Sql {
  const [record = "", field = ""] = kind.split(" ");
  const part = name(recordKeys[record as RecordName]?.[0] === field ? "first" : "second");
  return sql`
    INSERT OR IGNORE INTO im_admin_changed
      SELECT record, first, second FROM im_admin_unreadable
        WHERE record = ${literal(record)} AND ${part} IN (SELECT first FROM im_admin_changed WHERE kind = ${literal(kind)})`;
}

/** The keys that are settled next, and those of the records for which parts of keys stand. */
const waitingKeys = listed.map(({ table, key }) => {
  const ofPart = (field: string) => sql`
    SELECT ${columnsOf("source", key)} FROM im_admin_changed part CROSS JOIN ${our(table)} source
      ON part.kind = ${literal(`${table} ${field}`)} AND ${hasKey(table, "source", field, raw("part.first"))}`;
  return join([sql`SELECT * FROM (${firstKeys(table)})`, ...(key.length > 1 ? key.map(ofPart) : [])], " UNION ");
});

const anyRow = listed.map(({ table }): Mark => [table, "", "", allFields, 0, ""]);

/** Finds what cannot be read of the rows that are settled next; or only of rows of which that was found before. */
export async function findWaiting(without: Without, before?: readonly Mark[]): Promise<Mark[]> {
  const waiting = before ? [] : await without(anyRow, "given", waitingKeys);
  const marks: Mark[] = [];
  for (const [index, { table, fields }] of listed.entries()) {
    const keys = before
      ? before.flatMap(([record, first, second]): Key[] => (record === table ? [[first, second]] : []))
      : rowsOf(waiting, index).map((row) => Object.values(row) as unknown as Key);
    marks.push(...(await findUnreadable(without, table, keys, fields)));
  }
  return marks;
}

/** Has all rows looked at again in which this has changed. A host may have mended them before they were noted. */
export async function verify({ write }: SqlDatabase, without: Without, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return;
  const noted = JSON.stringify(marks);
  if (JSON.stringify(await findWaiting(without, marks)) === noted) return;
  await write([
    sql`INSERT OR IGNORE INTO im_admin_changed SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${noted})`,
  ]);
}
