import { type RecordName, recordNames } from "../../../records.js";
import { type OnStep, told } from "../../steps.js";
import type { Row, Statement } from "../database.js";
import { chunks, type PutStatements, upsertOne, upsertStatements } from "../records/write.js";
import { mappedInWrite } from "../schema/mapTable.js";
import { drop } from "../schema/schemaObject.js";
import type { Sizes } from "../schema/sizes.js";
import { join, literal, ourName, sql } from "../sql.js";
import { build, listedFrom, ownNoting } from "./bulk.js";

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
    ) AS triggers, (SELECT count(*) FROM im_admin_listed_group_members) + (SELECT count(*) FROM im_admin_blacks)
    + (SELECT count(*) FROM im_admin_group_requests) AS rows`;

/** Whether so many records are written that building the lists at the end is faster. */
export function* areMany(
  written: number,
  tables: ReadonlySet<RecordName>,
  mapped: ReadonlySet<RecordName>,
): Generator<Statement, boolean, Row[] | undefined> {
  const rowTriggers = ownNoting(mapped).length;
  if (listedFrom(tables).length === 0) return false;
  const counted = (yield countRows)?.[0];
  return Number(counted?.["triggers"]) <= rowTriggers && Number(counted?.["rows"]) < 5 * written;
}

/**
 * Writes records with triggers at first. When there are many records compared with the existing rows, it drops the
 * triggers and builds the lists at the end, which is then faster. It is for engines that run statements one by one.
 */
export function putInBulk(sizes: Sizes, onBuild: OnStep = () => {}): PutStatements {
  return function* (checked) {
    const tables = new Set<RecordName>();
    let written = 0;
    let mapped: ReadonlySet<RecordName> = new Set();
    let asked = manyRecords;
    for (const rows of chunks(checked)) {
      yield* upsertStatements(rows);
      for (const [table, { length }] of rows) {
        tables.add(table);
        written += length;
      }
      if (written < asked) continue;
      asked *= 2;
      mapped = yield* mappedInWrite();
      if (yield* areMany(written, tables, mapped)) break;
    }
    let next = checked.next();
    if (next.done) return;

    const triggers = ownNoting(mapped);
    yield* triggers.map(drop);
    for (; !next.done; next = checked.next()) {
      const [table, values] = next.value;
      tables.add(table);
      yield upsertOne(table, values);
    }
    yield* told([...build(sizes, tables), ...triggers.map((trigger) => trigger.sql)], onBuild);
  };
}
