/** SQLite's own check of the file. */
import { recordNames } from "../../../records.js";
import { type Finding, wrong } from "../../finding.js";
import type { SqlDatabase } from "../database.js";
import { isBroken, recover } from "../failures.js";
import { keptParts } from "../schema/schema.js";
import { isSame, readStored, type StoredObject, versionObject } from "../schema/storedSchema.js";
import { literal, ourName, sql } from "../sql.js";
import { type Check, compare } from "./comparison.js";

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
    return await integrityOf(database, mostComplaints);
  } catch {
    // Leave virtual tables out: one that cannot be opened would end this check. Another check reads them.
    const tables = stored.filter(({ type, hasPages }) => type === "table" && hasPages);
    const found = [];
    for (const { name } of tables) {
      const ofTable = integrityOf(database, name).catch((error: unknown) => {
        if (isBroken(error)) return [`table ${name}: ${error.message}`];
        throw error;
      });
      found.push(...(await ofTable));
    }
    return found;
  }
}

/** What SQLite says of a table, or, with a number, of all tables, at most so many times. */
async function integrityOf(database: SqlDatabase, what: string | number): Promise<string[]> {
  const [rows = []] = await database.read([sql`PRAGMA integrity_check(${literal(what)})`]);
  return rows.map((row) => String(row["integrity_check"])).filter((complaint) => complaint !== "ok");
}

const ofIndex = /(?:row \d+ missing from|entries in|entry in|row \d+ of|values differ from) index (.+)$/;
const ofRows = /(?:failed in|value in|KEY order for) (\w+)/;

/** Finds the object of a complaint, and so whether a repair makes it again. */
function understand(complaint: string, stored: readonly StoredObject[]): Finding {
  const found = (problem: string, advice?: string) => wrong({ problem, examples: [complaint], advice });
  const [, index] = ofIndex.exec(complaint) ?? [];
  if (index !== undefined) {
    const table = stored.find(({ name }) => name === index)?.table;
    const isMade = isKept(table) || recordNames.some((record) => ourName(record) === table);
    const advice = isMade ? undefined : `make it anew with REINDEX ${index}`;
    return found(`the index ${index} disagrees with its table`, advice);
  }
  const [, table] = ofRows.exec(complaint) ?? [];
  if (table !== undefined) {
    return found(`rows of ${table} have values that it does not allow`, isKept(table) ? undefined : "write others");
  }
  return found("the pages of the file are damaged", recover);
}

/** Whether a repair makes this table again. */
function isKept(table: string | undefined): boolean {
  const kept = [versionObject.name, ...keptParts.map(({ name }) => name)];
  return table !== undefined && kept.some((name) => isSame(name, table));
}
