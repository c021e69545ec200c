import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { defaultSizes } from "../../src/stores/sqlite/nodes/tables.js";
import { danglingReferences } from "../../src/stores/sqlite/records/references.js";
import { createSqlStore } from "../../src/stores/sqlite/store.js";
import { putInBulk } from "../../src/stores/sqlite/upkeep/putInBulk.js";
import { adoptOption, openDatabase } from "./database.js";
import { databaseOption, option } from "./flags.js";
import { describeKinds, type ImportFile, recognizeFile } from "./import/files.js";
import { importFile } from "./import/importFile.js";
import { print } from "./print.js";
import { stepBar } from "./progress.js";
import { reasonOf } from "./reason.js";

interface ImportFlags {
  db: string;
  adopt?: boolean;
  skipInvalid?: boolean;
}

export function importCommand(): Command {
  return new Command("import")
    .description("Fill a database from a folder of JSON or NDJSON files.")
    .argument("<folder>", describeKinds())
    .addOption(databaseOption())
    .addOption(adoptOption())
    .addOption(option("--skip-invalid", "leave out lines that are not valid, and count them"))
    .action(run);
}

async function run(folder: string, { db, adopt = false, skipInvalid = false }: ImportFlags): Promise<void> {
  const files = recognizedFiles(folder);
  const database = await openDatabase(db, adopt);
  try {
    const store = createSqlStore(database, putInBulk(defaultSizes, stepBar("building the lists")));
    let failed = 0;
    for (const file of files) if (!(await importFile(store, file, skipInvalid))) failed += 1;
    for (const { table, column, missingFrom, rows, example } of await danglingReferences(database)) {
      print(
        `warning: ${rows} ${table} name a ${column} that is not in ${missingFrom}, such as ${example}; they are kept`,
      );
    }
    if (failed > 0) throw new Error(`${failed} of ${files.length} files were not imported`);
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
