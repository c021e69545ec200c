import { statSync } from "node:fs";
import type { CheckedValues } from "../../../src/checkedRecords.js";
import { type RecordSet, recordFields } from "../../../src/records.js";
import { type Difference, refuseLoss } from "../../../src/stores/replacement.js";
import type { Database } from "../databases/databaseKind.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { reasonOf } from "../reason.js";
import { grouped } from "../report.js";
import type { ImportFile } from "./files.js";
import { InvalidFile, RecordReader } from "./recordReader.js";

/** How files are imported. */
export interface ImportMode {
  /** Whether documents of the reference server must be valid as they are. */
  strict: boolean;
  /** Whether to remove records that are not in a file. */
  replace: boolean;
  /** Whether it may remove any number of records. */
  yes: boolean;
}

/** The result of a file. */
export interface ImportedFile {
  file: string;
  records: ImportFile["records"];
  imported: number;
  /** How many values of the reference server were changed, since the database cannot hold them as they are. */
  mended: number;
  /** How many documents of the reference server were left out, since the database cannot hold their keys. */
  leftOut: number;
  /** With `replace`: how many imported records are new or differ from the record that was there. */
  changed?: number;
  /** With `replace`: how many records were removed. */
  removed?: number;
  /** Why nothing was written. */
  failure?: string;
}

/** Imports a file in one transaction. If a value is not valid, it writes nothing. */
export async function importFile(database: Database, file: ImportFile, mode: ImportMode): Promise<ImportedFile> {
  // If somebody interrupts the import, the last bar stays on the terminal.
  const bar = progressBar(`${file.name}: nothing written yet`);
  const reader = new RecordReader(file, { strict: mode.strict, holds: database.holds });
  const named = { file: file.name, records: file.records };
  let difference: Difference | undefined;
  try {
    bar.start(sizeOf(file), 0);
    const records = reader.records((bytes) => bar.update(bytes));
    if (mode.replace) {
      const guard = mode.yes
        ? () => {}
        : refuseLoss(file.records, "look whether the file is whole, and repeat it with --yes");
      difference = await database.replace(file.records, records, guard);
    } else await put(database, file, records);
  } catch (error) {
    bar.stop();
    reader.report();
    const failure = error instanceof InvalidFile ? `${grouped(reader.problems)} invalid` : reasonOf(error);
    print(`${file.name}: nothing was ${mode.replace ? "replaced" : "imported"}: ${failure}`);
    return { ...named, imported: 0, mended: 0, leftOut: 0, failure };
  }
  bar.stop();
  reader.report();
  const { count: imported, mended, leftOut } = reader;
  const done = { ...named, imported, mended: mended.count, leftOut: leftOut.count };
  const all = `${file.name}: ${grouped(imported)} ${file.records}`;
  if (difference === undefined) {
    print(`${all} imported`);
    return done;
  }
  const { changed, removed } = difference;
  print(`${all}, ${grouped(changed)} of them new or changed, and ${grouped(removed)} removed`);
  return { ...done, changed, removed };
}

/** The bytes of a file. A pipe or a device may never end. */
function sizeOf({ path }: ImportFile): number {
  const state = statSync(path);
  if (!state.isFile() && !state.isDirectory()) throw new Error("it is no regular file");
  return state.size;
}

async function put({ store }: Database, { records: name }: ImportFile, records: Iterable<CheckedValues>) {
  const fields = recordFields[name].map(([field]) => field);
  const objects = (function* () {
    for (const values of records) yield Object.fromEntries(fields.map((field, index) => [field, values[index]]));
  })();
  await store.put({ [name]: objects } as RecordSet);
}
