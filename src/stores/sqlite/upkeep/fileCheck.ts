/** SQLite's own check of the file. */

import type { Finding } from "../../finding.js";
import { type Check, compare, isBroken, recover } from "../comparison.js";
import type { Row, SqlDatabase } from "../database.js";
import { recordIn } from "../schema/recordTables.js";
import { keptParts } from "../schema/schema.js";
import { isSame, readStored, type StoredObject, shadowTables, versionObject } from "../schema/storedSchema.js";
import { literal, sql } from "../sql.js";

/** The most complaints of SQLite that are counted. */
const mostComplaints = 1000;

export const encodingCheck: Check = compare("the encoding", [
  {
    problem: "the texts of the database are not in UTF-8, so lists are sorted otherwise",
    wrong: sql`SELECT encoding FROM pragma_encoding WHERE encoding <> 'UTF-8'`,
    advice: "put its rows into a new database of im-admin",
  },
]);

/** Checks all pages of the file, and the rows of each table in each of its indexes. */
export const integrityCheck: Check = {
  what: "the pages of the file",
  async find(database) {
    const stored = await readStored(database);
    return (await complaints(database, stored)).map((complaint) => understand(complaint, stored));
  },
};

async function complaints(database: SqlDatabase, stored: readonly StoredObject[]): Promise<string[]> {
  try {
    return await integrityOf(database, undefined);
  } catch {
    // Leave virtual tables out: one that cannot be opened would end this check. Another check reads them.
    const tables = stored.filter(({ type, hasPages }) => type === "table" && hasPages);
    const found = [];
    for (const { name } of tables) found.push(...(await complaintsOf(database, name)));
    return found;
  }
}

async function complaintsOf(database: SqlDatabase, table: string): Promise<string[]> {
  try {
    return await integrityOf(database, table);
  } catch (error) {
    if (!(error instanceof Error) || !isBroken(error)) throw error;
    return [`table ${table}: ${error.message}`];
  }
}

async function integrityOf(database: SqlDatabase, table: string | undefined): Promise<string[]> {
  const [rows = []] = await database.read([sql`PRAGMA integrity_check(${literal(table ?? mostComplaints)})`]);
  return rows.map((row: Row) => String(row["integrity_check"])).filter((complaint) => complaint !== "ok");
}

const ofIndex = /(?:row \d+ missing from|entries in|entry in|row \d+ of|values differ from) index (.+)$/;
const ofRows = /(?:failed in|value in|KEY order for) (\w+)/;
const ofSearch =
  /^(?:fts5: .* table "(\w+)"$|malformed inverted index for FTS5 table \w+\.(\w+)|unable to validate the inverted index for FTS5 table \w+\.(\w+))/;

/** Finds the object of a complaint, and so whether a repair makes it again. */
function understand(complaint: string, stored: readonly StoredObject[]): Finding {
  const found = { count: 1, examples: [complaint] };
  const [, index] = ofIndex.exec(complaint) ?? [];
  if (index !== undefined) {
    const problem = `the index ${index} disagrees with its table`;
    const isRemade = stored.some(
      ({ name, table }) => name === index && (recordIn({ type: "table", name: table }) !== undefined || isKept(table)),
    );
    return isRemade
      ? { kind: "wrong", problem, ...found }
      : { kind: "unmendable", problem, ...found, advice: `make it anew with REINDEX ${index}` };
  }
  const [, table] = ofRows.exec(complaint) ?? [];
  if (table !== undefined) {
    const problem = `rows of ${table} have values that it does not allow`;
    return isKept(table)
      ? { kind: "wrong", problem, ...found }
      : { kind: "unmendable", problem, ...found, advice: "write others" };
  }
  const search = ofSearch.exec(complaint)?.slice(1).find(isKept);
  if (search !== undefined) return { kind: "wrong", problem: `the full-text index ${search} is damaged`, ...found };
  return {
    kind: "unmendable",
    problem: "the pages of the file are damaged",
    ...found,
    advice: recover,
  };
}

/** Whether a repair makes this table again. */
function isKept(table: string | undefined): boolean {
  const kept = [versionObject.name, ...keptParts.map(({ name }) => name), ...shadowTables];
  return table !== undefined && kept.some((name) => isSame(name, table));
}
