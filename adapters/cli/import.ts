import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { recordNames } from "../../src/records.js";
import { addMadeDatabaseFlags, databaseKind } from "./database.js";
import type { DatabaseFlags } from "./databases/databaseKind.js";
import { option } from "./flags.js";
import { isAnArchive, isArchive } from "./import/archive.js";
import { describeKinds, type ImportFile, isSuspicious, recognizeFile } from "./import/files.js";
import { type ImportedFile, importFile } from "./import/importFile.js";
import { mostPrinted } from "./import/recordReader.js";
import { print } from "./print.js";
import { reasonOf } from "./reason.js";
import { grouped, type ReportFlags, report, reportOption } from "./report.js";
import { shortened } from "./shortened.js";

interface ImportFlags extends DatabaseFlags, ReportFlags {
  strict?: boolean;
  replace?: boolean;
  yes?: boolean;
}

const help = `
With --replace, each kind of records becomes what its file says, in one
transaction. Records that are not in the file are removed. Readers see the old
records or the new ones. A kind without a file stays as it is. If a file lacks
more than a fifth of the records, and more than 10, nothing is written without
--yes.`;

export function importCommand(): Command {
  return addMadeDatabaseFlags(new Command())
    .argument("<folder>", describeKinds())
    .addOption(option("--strict", "take no file of OpenIM with a value that im-admin would change or leave out"))
    .addOption(option("--replace", "remove records that are not in the files"))
    .addOption(option("--yes", "let --replace remove any number of records"))
    .addOption(reportOption())
    .addHelpText("after", help)
    .action(run);
}

async function run(folder: string, flags: ImportFlags, command: Command): Promise<void> {
  const { strict = false, replace = false, yes = false } = flags;
  const kind = databaseKind(flags, command);
  const files = recognizedFiles(folder);
  requireOneEach(files);
  const begun = Date.now();
  const database = await kind.openToImport(flags);
  try {
    const imported: ImportedFile[] = [];
    for (const file of files) {
      // A process that follows OpenIM meanwhile has to copy again.
      await database.noteImport();
      imported.push(await importFile(database, file, { strict, replace, yes }));
    }
    await database.noteImport(isWhole(files) && imported.every(isDone) ? begun : undefined);
    await database.finish?.();
    const dangling = await database.danglingReferences();
    for (const { table, column, missingFrom, rows, example } of dangling) {
      const named = column === "ownerUserID" ? `an ${column}` : `a ${column}`;
      print(
        `warning: ${grouped(rows)} ${table} name ${named} that is not in ${missingFrom}, such as ${shortened(example)}; they are kept`,
      );
    }
    report(flags, { database: database.name, files: imported, dangling });
    const failed = imported.filter((file) => !isDone(file)).length;
    if (failed > 0) throw new Error(`${failed} of ${files.length} files were not ${replace ? "replaced" : "imported"}`);
  } finally {
    await database.close();
  }
}

function isDone({ failure }: ImportedFile): boolean {
  return failure === undefined;
}

/** Whether the files make a copy from which every list can be answered. No list reads conversations. */
function isWhole(files: readonly ImportFile[]): boolean {
  return recordNames.every((name) => name === "conversations" || files.some(({ records }) => records === name));
}

/** Requires one file for each kind of records: a second one, such as an older dump, would undo the first. */
function requireOneEach(files: readonly ImportFile[]): void {
  for (const [index, { records, name }] of files.entries()) {
    const other = files.slice(0, index).find((file) => file.records === records);
    if (other !== undefined) throw new Error(`${other.name} and ${name} both hold ${records}: leave one of them there`);
  }
}

/** The files to import, users and groups first. */
function recognizedFiles(folder: string): ImportFile[] {
  const files: ImportFile[] = [];
  const leftAlone: string[] = [];
  const archives: string[] = [];
  for (const name of namesIn(folder).sort()) {
    const file = recognizeFile(join(folder, name));
    if (file !== undefined) files.push(file);
    else if (isArchive(join(folder, name))) archives.push(name);
    else if (isSuspicious(name)) leftAlone.push(name);
  }
  if (files.length === 0 && archives[0] !== undefined) throw new Error(`${join(folder, archives[0])} ${isAnArchive}`);
  for (const name of archives.slice(0, mostPrinted)) print(`warning: ${name} is left alone: it ${isAnArchive}`);
  for (const name of leftAlone.slice(0, mostPrinted)) {
    print(`warning: ${name} is left alone: it is not named after a collection`);
  }
  const further = leftAlone.length - mostPrinted;
  if (further > 0) print(`warning: ${grouped(further)} further files are left alone`);
  if (files.length === 0) throw new Error(`no file to import in ${folder}: it must hold ${describeKinds()}`);
  return files.sort((left, right) => left.position - right.position);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isArchive(folder)) throw new Error(`${folder} ${isAnArchive}`, { cause: error });
    const advice = "give the folder that holds the files to import";
    throw new Error(`cannot read the folder ${folder}: ${reasonOf(error)}; ${advice}`, { cause: error });
  }
}
