import { statSync } from "node:fs";
import { checkedValues } from "../../../src/checkedRecords.js";
import { type Fields, type RecordSet, type Records, recordFields } from "../../../src/records.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { reasonOf } from "../reason.js";
import { grouped } from "../report.js";
import type { ImportFile } from "./files.js";
import { type ReadValue, readJson } from "./readJson.js";
import { fromReferenceDocument } from "./reference.js";

/** How many problems of a file are printed; the rest are counted. */
const printedProblems = 10;

/** What has become of a file. */
export interface ImportedFile {
  file: string;
  records: ImportFile["records"];
  imported: number;
  /** Values that are not valid, which were left out. */
  skipped: number;
  /** Why nothing of the file was written. */
  failure?: string;
}

/** Imports a file in one transaction; where a value in it is not valid, nothing of it is written. */
export async function importFile(store: Records, file: ImportFile, skipInvalid: boolean): Promise<ImportedFile> {
  const bar = progressBar(file.name);
  const unknownFields = new Map<string, number>();
  const printed: string[] = [];
  let problems = 0;
  let imported = 0;

  function* records(): Generator<unknown> {
    for (const read of readJson(file.path, (bytes) => bar.update(bytes))) {
      const record = toRecord(read, file, unknownFields);
      if (typeof record === "string") {
        problems += 1;
        if (problems <= printedProblems) printed.push(`${file.path}:${read.line}: ${record}`);
        // What cannot be read cannot be counted, so it is not skipped either.
        if ("isLast" in read && read.isLast) throw new InvalidFile();
      } else if (problems === 0 || skipInvalid) {
        imported += 1;
        yield record;
      }
    }
    // Thrown inside the transaction, so that nothing of the file is written.
    if (problems > 0 && !skipInvalid) throw new InvalidFile();
  }

  let failure: string | undefined;
  try {
    bar.start(statSync(file.path).size, 0);
    // The records are checked one by one, in put().
    await store.put({ [file.records]: records() } as RecordSet);
  } catch (error) {
    failure = error instanceof InvalidFile ? `${grouped(problems)} invalid` : reasonOf(error);
  } finally {
    bar.stop();
  }

  for (const problem of printed) print(problem);
  if (problems > printed.length) print(`... and ${grouped(problems - printed.length)} more`);
  for (const [field, count] of unknownFields) {
    print(`warning: ${file.name}: "${field}" is no field, left out ${grouped(count)} times`);
  }
  if (failure !== undefined) {
    print(`${file.name}: nothing was imported: ${failure}`);
    return { file: file.name, records: file.records, imported: 0, skipped: 0, failure };
  }
  const skipped = problems > 0 ? `, ${grouped(problems)} skipped` : "";
  print(`${file.name}: ${grouped(imported)} ${file.records} imported${skipped}`);
  return { file: file.name, records: file.records, imported, skipped: problems };
}

class InvalidFile extends Error {}

/** The record, or what is wrong with it. */
function toRecord(read: ReadValue, file: ImportFile, unknownFields: Map<string, number>): object | string {
  if ("problem" in read) return read.problem;
  const fields = recordFields[file.records];
  let candidate = read.value;
  try {
    if (file.fromReference) candidate = fromReferenceDocument(file.records, candidate);
  } catch (error) {
    return `is no Extended JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { values, mistake } = checkedValues(fields, candidate);
  if (values === undefined) return `${mistake.field ?? "the record"} ${mistake.message}`;
  if (!file.fromReference) countUnknownFields(candidate as object, fields, unknownFields);
  return Object.fromEntries(fields.map(([field], index) => [field, values[index]]));
}

function countUnknownFields(value: object, fields: Fields, unknownFields: Map<string, number>): void {
  for (const field of Object.keys(value)) {
    if (!fields.some(([known]) => known === field)) unknownFields.set(field, (unknownFields.get(field) ?? 0) + 1);
  }
}
