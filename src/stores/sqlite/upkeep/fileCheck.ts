/** SQLite's own check of the file. */
import { recordNames } from "../../../records.js";
import { type Finding, wrong } from "../../finding.js";
import type { SqlDatabase } from "../database.js";
import { copy, failedBy, isBroken, recover } from "../failures.js";
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
    advice: copy,
  },
]);

/** Checks all pages of the file, and the rows of each table in each of its indexes. */
export const integrityCheck: Check = {
  what: "the pages of the file",
  async find(database) {
    const stored = await readStored(database);
    try {
      return await complaintsOf(database, mostComplaints, stored);
    } catch {
      // A table of a host's may need what only the host has: a collation, a function or a module.
      const findings = [];
      for (const { name } of stored.filter(({ type, hasPages }) => type === "table" && hasPages)) {
        findings.push(
          ...(await complaintsOf(database, name, stored).catch((error: unknown) => [unreadable(name, error)])),
        );
      }
      return findings;
    }
  },
};

/** What SQLite says of a table, or, with a number, of all tables, at most so many times. */
async function complaintsOf(
  database: SqlDatabase,
  what: string | number,
  stored: readonly StoredObject[],
): Promise<Finding[]> {
  const [rows = []] = await database.read([sql`PRAGMA integrity_check(${literal(what)})`]);
  const complaints = rows.map((row) => String(row["integrity_check"])).filter((complaint) => complaint !== "ok");
  return complaints.map((complaint) => understand(complaint, stored));
}

function unreadable(table: string, error: unknown): Finding {
  if (!(error instanceof Error) || !isBroken(error)) throw error;
  if (failedBy(error, "CORRUPT")) return understand(`table ${table}: ${error.message}`, []);
  const problem = `the pages of ${table} are not checked: ${error.message}`;
  return { kind: "note", problem, count: 1 };
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
