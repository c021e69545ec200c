import { type RecordName, recordNames } from "../../../records.js";
import { sourcesInWrite } from "../../../tables/sqlite/installed.js";
import type { Row, Statement } from "../database.js";
import { listedName } from "../nodes/listNames.js";
import type { Sizes } from "../nodes/nodeTables.js";
import { isRecordTable } from "../records/recordTables.js";
import { chunks, type PutStatements, upsertOne, upsertStatements } from "../records/write.js";
import { keepingTriggers, type Sources } from "../schema/schema.js";
import { join, literal, our, ourName, sql } from "../sql.js";
import { build, listedFromAny, setAside } from "./bulk.js";

/** Is called when one more step of building the lists is done. */
export type OnBuild = (done: number, steps: number) => void;

/** With so many records or more, the lists may be built at the end. Fewer than 20,000 take about as long row by row. */
const manyRecords = 5000;

/**
 * Counts the rows that the lists are built from, or a few more, and the triggers on the tables. If a host has triggers
 * there, a bulk write is not possible: they may write records that nobody counts while our triggers are dropped.
 */
const countRows = sql`
  SELECT (
      SELECT count(*) FROM sqlite_schema
        WHERE type = 'trigger' AND tbl_name IN (${join(recordNames.map((record) => literal(ourName(record))))})
    ) AS triggers, (SELECT coalesce(max(id), 0) FROM ${our(listedName("groupMembers"))}) + (SELECT count(*) FROM im_admin_blacks)
    + (SELECT count(*) FROM im_admin_group_requests) AS rows`;

/** Whether so many records are written that building the lists at the end is faster. */
export function* areMany(
  sizes: Sizes,
  written: number,
  tables: ReadonlySet<RecordName>,
  sources: Sources,
): Generator<Statement, boolean, Row[] | undefined> {
  const rowTriggers = keepingTriggers(sizes, sources).filter(({ on }) => on !== undefined && isRecordTable(on)).length;
  if (listedFromAny(tables).length === 0) return false;
  const counted = (yield countRows)?.[0];
  return Number(counted?.["triggers"]) <= rowTriggers && Number(counted?.["rows"]) < 5 * written;
}

/**
 * Writes records with triggers at first. When there are many records compared with the existing rows, it drops the
 * triggers and builds the lists at the end, which is then faster. It is for engines that run statements one by one.
 */
export function putInBulk(sizes: Sizes, onBuild: OnBuild = () => {}): PutStatements {
  return function* (checked) {
    const tables = new Set<RecordName>();
    let written = 0;
    let sources: Sources = new Map();
    let asked = manyRecords;
    for (const rows of chunks(checked)) {
      yield* upsertStatements(rows);
      for (const [table, { length }] of rows) {
        tables.add(table);
        written += length;
      }
      if (written < asked) continue;
      asked *= 2;
      sources = yield* sourcesInWrite();
      if (yield* areMany(sizes, written, tables, sources)) break;
    }
    let next = checked.next();
    if (next.done) return;

    yield* setAside(sizes, sources);
    for (; !next.done; next = checked.next()) {
      const [table, values] = next.value;
      tables.add(table);
      yield upsertOne(table, values);
    }
    const steps = build(sizes, tables, sources);
    for (const [index, step] of steps.entries()) {
      yield step;
      onBuild(index + 1, steps.length);
    }
  };
}
