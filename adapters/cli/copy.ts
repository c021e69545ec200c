import { existsSync, realpathSync } from "node:fs";
import { Command } from "commander";
import { type RecordName, type RecordSet, recordFields, recordKeys, recordNames } from "../../src/records.js";
import { D1Files } from "./d1Files.js";
import { adoptOption, databaseKind, schemaOption } from "./database.js";
import type { CopiedFile, CopiedRecord, Database, DatabaseFlags } from "./databases/databaseKind.js";
import { openToCopy } from "./databases/sqliteFile.js";
import { isMeantAsURL } from "./databaseURL.js";
import { option } from "./flags.js";
import { print } from "./print.js";
import { progressBar } from "./progress.js";
import { grouped, type ReportFlags, report, reportOption } from "./report.js";

interface CopyFlags extends ReportFlags {
  from?: string;
  to?: string;
  schema?: string;
  adopt?: boolean;
  sql?: boolean;
}

/** The number of records that one transaction writes. */
const recordsAtOnce = 20_000;

export function copyCommand(): Command {
  return new Command()
    .addOption(option("--from <file>", "the database file"))
    .addOption(option("--to <database>", "the other database: a URL of PostgreSQL, or a file"))
    .addOption(schemaOption())
    .addOption(adoptOption())
    .addOption(option("--sql", "--to is a new folder, for files of SQL that fill a D1 database"))
    .addOption(reportOption())
    .action(run);
}

async function run({ from, to, schema, adopt = false, json = false, sql }: CopyFlags, command: Command): Promise<void> {
  if (!from) command.error("error: a file is needed: --from or IM_ADMIN_FROM");
  if (!to) command.error("error: a database is needed: --to or IM_ADMIN_TO");
  if (isMeantAsURL(from)) command.error("error: --from must be a file: im-admin does not copy from PostgreSQL");
  if (isSameFile(from, to)) command.error("error: --from and --to name the same file");
  if (sql) return copyToFiles(from, to, json);
  const flags: DatabaseFlags = { db: to, flag: "--to", adopt, ...(schema !== undefined && { schema }) };
  const kind = databaseKind(flags, command);
  const source = await openToCopy(from);
  try {
    // If the file is damaged, this fails before the command makes the other database.
    const counts = await countAll(source);
    const target = await kind.openToImport(flags);
    try {
      const copied = await copyAll(source, counts, {
        put: (records) => target.store.put(records),
        held: (table, record) => heldIn(target, table, record),
      });
      await target.finish?.();
      report({ json }, { database: target.name, copied });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Writes the records into files for D1, which has no command line of its own. */
async function copyToFiles(from: string, to: string, json: boolean): Promise<void> {
  const source = await openToCopy(from);
  try {
    const counts = await countAll(source);
    if (counts.every(([, count]) => count === 0)) throw new Error(`${from} has no records`);
    const files = new D1Files(to);
    const copied = await copyAll(source, counts, files);
    const written = files.finish();
    report({ json }, { folder: to, files: written, copied });
    print(`${written} files in ${to}: run each by wrangler d1 execute --file`);
  } finally {
    await source.close();
  }
}

/** Whether two paths lead to one existing file. */
function isSameFile(from: string, to: string): boolean {
  return existsSync(from) && existsSync(to) && realpathSync(from) === realpathSync(to);
}

async function countAll(source: CopiedFile): Promise<[RecordName, number][]> {
  const counts: [RecordName, number][] = [];
  for (const table of recordNames) counts.push([table, await source.count(table)]);
  return counts;
}

/** What takes the records. */
interface Target {
  put(records: RecordSet): Promise<void>;
  /** The record as it can hold it; undefined if it cannot. */
  held(table: RecordName, record: CopiedRecord): CopiedRecord | undefined;
}

/** The record without texts that a database cannot hold; undefined if they are of the key. */
export function heldIn(
  database: Pick<Database, "holds">,
  table: RecordName,
  record: CopiedRecord,
): CopiedRecord | undefined {
  const unheld = recordFields[table].filter(([field]) => {
    const value = record[field];
    return typeof value === "string" && !database.holds(table, field, value);
  });
  if (unheld.some(([field]) => recordKeys[table].includes(field))) return undefined;
  return unheld.length === 0 ? record : { ...record, ...Object.fromEntries(unheld.map(([field]) => [field, ""])) };
}

/** Copies all records, and returns how many of each kind. */
async function copyAll(source: CopiedFile, counts: readonly [RecordName, number][], target: Target): Promise<object> {
  const copied: Partial<Record<RecordName, number>> = {};
  for (const [table, count] of counts) copied[table] = await copyRecords(source, target, table, count);
  return copied;
}

async function copyRecords(source: CopiedFile, target: Target, table: RecordName, count: number): Promise<number> {
  let copied = 0;
  let leftOut = 0;
  let emptied = 0;
  const bar = progressBar(table);
  bar.start(count, 0);
  try {
    for await (const records of source.records(table, recordsAtOnce)) {
      const held = records.flatMap((record) => {
        const one = target.held(table, record);
        if (one !== undefined && one !== record) emptied += 1;
        return one === undefined ? [] : [one];
      });
      await target.put({ [table]: held } as RecordSet);
      copied += held.length;
      leftOut += records.length - held.length;
      bar.update(copied + leftOut);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the copy ended after ${grouped(copied)} ${table}: ${reason}; it may be repeated`, {
      cause: error,
    });
  } finally {
    bar.stop();
  }
  print(`${grouped(copied)} ${table} copied`);
  if (leftOut > 0) print(`warning: ${grouped(leftOut)} ${table} are left out: they are too long for the database`);
  if (emptied > 0) print(`warning: ${grouped(emptied)} ${table} lose texts that are too long for the database`);
  return copied;
}
