/** Builds what is kept from a host's rows, also if some of them cannot be read. */
import { type RecordName, recordFields, recordKeys } from "../../../records.js";
import type { SqlDatabase } from "../database.js";
import { isOfRow } from "../failures.js";
import { carefulDatabases } from "../map/carefulDatabases.js";
import { findUnreadable, type Key, type Without } from "../map/findUnreadable.js";
import { readingFrom } from "../map/mapped.js";
import { allFields, type Mark } from "../map/marks.js";
import { listedOf } from "../schema/listed.js";
import { carefulSources, type Sources } from "../schema/schema.js";
import type { Sizes } from "../schema/sizes.js";
import { tellReads } from "../settle/unreadable.js";
import { join, literal, name, names, our, raw, type Sql, sql } from "../sql.js";
import { build } from "./bulk.js";

type Reading = Pick<SqlDatabase, "read" | "write">;

/**
 * Runs statements that build what is kept. If they fail for a row, it finds all that cannot be read, and runs them without
 * that.
 */
export async function building(
  database: Reading,
  sources: Sources,
  run: (marks?: readonly Mark[]) => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isOfRow(error)) throw error;
    await run((await unreadableRows(database, sources)).filter(isNoticed));
  }
}

/** Whether triggers notice when the field can be read again. What is only shown is evaluated for each page. */
function isNoticed([record, , , field, decides]: Mark): boolean {
  const listed = listedOf(record);
  return listed !== undefined && (decides !== 0 || listed.fields.includes(field));
}

/**
 * The statements that build what is kept. The marked rows are looked at again, since they may have changed meanwhile.
 *
 * @param marks what cannot be read; undefined while all is believed to be readable
 */
export function buildFrom(
  sources: Sources,
  sizes: Sizes,
  records: ReadonlySet<RecordName>,
  marks?: readonly Mark[],
): Sql[] {
  const read = readingFrom(marks === undefined ? sources : carefulSources(sources));
  return [
    ...noteMarks(marks),
    ...build(sizes, records).map(({ text }) => raw(read(text))),
    sql`
      INSERT INTO im_admin_changed (kind, first, second)
        SELECT DISTINCT record, first, second FROM im_admin_unreadable WHERE true
        ON CONFLICT DO NOTHING`,
    ...tellReads,
  ];
}

/** Notes what cannot be read, and nothing else. */
export function noteMarks(marks: readonly Mark[] = []): Sql[] {
  const values = marks.map((mark) => sql`(${join(mark.map(literal))})`);
  return [
    sql`DELETE FROM im_admin_unreadable`,
    ...(values.length === 0 ? [] : [sql`INSERT INTO im_admin_unreadable VALUES ${join(values)}`]),
  ];
}

/** A database that reads the rows of a host without what is marked. */
export function leavingOut(database: SqlDatabase, sources: Sources, marks: readonly Mark[]): SqlDatabase {
  return sources.size === 0 ? database : carefulDatabases(database, carefulSources(sources))(marks, "given");
}

/** How many keys are looked at together. */
const portion = 20_000;

/** Finds all that cannot be read of a host's rows. It reads all of them. */
export async function unreadableRows(database: Reading, sources: Sources): Promise<Mark[]> {
  const careful = carefulDatabases(database as SqlDatabase, carefulSources(sources));
  const without: Without = (marks, known, statements) => careful(marks, known).read(statements);
  const marks: Mark[] = [];
  for (const record of sources.keys()) {
    // No page shows conversations.
    if (record === "conversations") continue;
    const keys = recordKeys[record];
    const fields = recordFields[record].slice(keys.length).map(([field]) => field);
    const all = sql`SELECT ${join([sql`count(*)`, ...fields.map((field) => sql`max(${name(field)})`)])} FROM ${our(record)}`;
    try {
      await without([], "given", [all]);
      continue;
    } catch (error) {
      if (!isOfRow(error)) throw error;
    }
    const anyRow: Mark = [record, "", "", allFields, 0, ""];
    for (let skip = 0; ; skip += portion) {
      const [rows = []] = await without([anyRow], "given", [
        sql`SELECT ${names(keys)} FROM ${our(record)} LIMIT ${literal(portion)} OFFSET ${literal(skip)}`,
      ]);
      const found = rows.map((row): Key => {
        const [first = "", second = ""] = keys.map((key) => String(row[name(key).text] ?? ""));
        return [first, second];
      });
      marks.push(...(await findUnreadable(without, record, found, fields)));
      if (rows.length < portion) break;
    }
  }
  // Several rows may have one key.
  return [...new Map(marks.map((mark) => [mark.slice(0, 4).join("\0"), mark])).values()];
}
