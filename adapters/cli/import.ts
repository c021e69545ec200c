import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { addMadeDatabaseFlags, type DatabaseFlags, databaseKind } from "./database.js";
import { option } from "./flags.js";
import { describeKinds, type ImportFile, recognizeFile } from "./import/files.js";
import { type ImportedFile, importFile } from "./import/importFile.js";
import { print } from "./print.js";
import { reasonOf } from "./reason.js";
import { grouped, type ReportFlags, report, reportOption } from "./report.js";

interface ImportFlags extends DatabaseFlags, ReportFlags {
  skipInvalid?: boolean;
}

export function importCommand(): Command {
  return addMadeDatabaseFlags(new Command("import"))
    .description("Fill a database from a folder of JSON or NDJSON files.")
    .argument("<folder>", describeKinds())
    .addOption(option("--skip-invalid", "leave out lines that are not valid, and count them"))
    .addOption(reportOption())
    .action(run);
}

async function run(folder: string, flags: ImportFlags, command: Command): Promise<void> {
  const kind = databaseKind(flags, command);
  const files = recognizedFiles(folder);
  const database = await kind.openToImport(flags);
  const begun = Date.now();
  try {
    const imported: ImportedFile[] = [];
    for (const file of files) imported.push(await importFile(database.store, file, flags.skipInvalid ?? false));
    await database.finish?.();
    const dangling = await database.danglingReferences();
    for (const { table, column, missingFrom, rows, example } of dangling) {
      print(
        `warning: ${grouped(rows)} ${table} name a ${column} that is not in ${missingFrom}, such as ${example}; they are kept`,
      );
    }
    report(flags, { database: database.name, files: imported, dangling });
    const failed = imported.filter(({ failure }) => failure !== undefined).length;
    if (failed > 0) throw new Error(`${failed} of ${files.length} files were not imported`);
    await database.noteImport(begun);
  } finally {
    await database.close();
  }
}

/** The files to import, users and groups first. */
function recognizedFiles(folder: string): ImportFile[] {
  const files: ImportFile[] = [];
  for (const name of namesIn(folder).sort()) {
    const file = recognizeFile(join(folder, name));
    if (file !== undefined) files.push(file);
    else if (/json/i.test(name)) print(`warning: ${name} is left alone: it is not named after a collection`);
  }
  if (files.length === 0) throw new Error(`no file to import in ${folder}: it must hold ${describeKinds()}`);
  return files.sort((left, right) => left.position - right.position);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const advice = "give the folder that holds the files to import";
    throw new Error(`cannot read the folder ${folder}: ${reasonOf(error)}; ${advice}`, { cause: error });
  }
}
