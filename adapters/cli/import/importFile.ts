import { statSync } from "node:fs";
import type { CheckedValues } from "../../../src/checkedRecords.js";
import { type RecordSet, recordFields } from "../../../src/records.js";
import type { Difference } from "../../../src/stores/replacement.js";
import type { Database } from "../databases/databaseKind.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { reasonOf } from "../reason.js";
import { grouped } from "../report.js";
import type { ImportFile } from "./files.js";
import { InvalidFile, RecordReader } from "./recordReader.js";

/** How files are imported. */
export interface ImportMode {
  /** Whether values that are not valid are left out. */
  skipInvalid: boolean;
  /** Whether what is not in a file is removed. */
  replace: boolean;
  /** Whether that may be any number of records. */
  yes: boolean;
}

/** What has become of a file. */
export interface ImportedFile {
  file: string;
  records: ImportFile["records"];
  imported: number;
  /** Values that are not valid, which were left out. */
  skipped: number;
  /** How many of the imported ones were new or other than those that were there, where they replace those. */
  changed?: number;
  /** How many others were removed. */
  removed?: number;
  /** Why nothing of the file was written. */
  failure?: string;
}

/** Which share of a table's records a file may lack without `--yes`, and how many in any case. */
const sharePerFile = 1 / 5;
const alwaysRemovable = 10;

/** Imports a file in one transaction; where a value in it is not valid, nothing of it is written. */
export async function importFile(database: Database, file: ImportFile, mode: ImportMode): Promise<ImportedFile> {
  const bar = progressBar(file.name);
  const reader = new RecordReader(file, mode.skipInvalid);
  const named = { file: file.name, records: file.records };
  let difference: Difference | undefined;
  try {
    bar.start(statSync(file.path).size, 0);
    const records = reader.records((bytes) => bar.update(bytes));
    if (mode.replace) difference = await database.replace(file.records, records, guard(file, mode));
    else await put(database, file, records);
  } catch (error) {
    bar.stop();
    reader.report();
    const failure = error instanceof InvalidFile ? `${grouped(reader.problems)} invalid` : reasonOf(error);
    print(`${file.name}: nothing was ${mode.replace ? "replaced" : "imported"}: ${failure}`);
    return { ...named, imported: 0, skipped: 0, failure };
  }
  bar.stop();
  reader.report();
  const { count, problems } = reader;
  const all = `${file.name}: ${grouped(count)} ${file.records}`;
  if (difference === undefined) {
    print(`${all} imported${problems > 0 ? `, ${grouped(problems)} skipped` : ""}`);
    return { ...named, imported: count, skipped: problems };
  }
  const { changed, removed } = difference;
  print(`${all}, ${grouped(changed)} of them new or changed, and ${grouped(removed)} removed`);
  return { ...named, imported: count, skipped: 0, changed, removed };
}

async function put({ store }: Database, { records: name }: ImportFile, records: Iterable<CheckedValues>) {
  const fields = recordFields[name].map(([field]) => field);
  const objects = (function* () {
    for (const values of records) yield Object.fromEntries(fields.map((field, index) => [field, values[index]]));
  })();
  await store.put({ [name]: objects } as RecordSet);
}

/** Refuses a file that lacks so much that it may not be whole. */
function guard({ records }: ImportFile, { yes }: ImportMode) {
  return ({ stored, removed }: Difference) => {
    if (yes || removed <= Math.max(alwaysRemovable, stored * sharePerFile)) return;
    throw new Error(
      `${grouped(removed)} of ${grouped(stored)} ${records} would be removed: look whether the file is whole, and repeat it with --yes`,
    );
  };
}
