import { statSync } from "node:fs";
import { type CheckedValues, checkedValues } from "../../../src/checkedRecords.js";
import { defaultLimits } from "../../../src/limits.js";
import { type Fields, keyFields, recordFields } from "../../../src/records.js";
import { print } from "../print.js";
import { grouped } from "../report.js";
import type { ImportFile } from "./files.js";
import { readBson } from "./readBson.js";
import { type ReadValue, readJson } from "./readJson.js";
import { fromReferenceDocument } from "./reference.js";

/** The most lines of one kind that are printed. The others are counted. */
export const mostPrinted = 10;

/** Ends the transaction that reads a file, so that it writes nothing. */
export class InvalidFile extends Error {}

/** Reads the records of a file once, and remembers the problems. */
export class RecordReader {
  /** How many records it has yielded. */
  count = 0;
  /** How many values are not valid. */
  problems = 0;
  readonly #file: ImportFile;
  readonly #skipInvalid: boolean;
  readonly #printed: string[] = [];
  readonly #unknownFields = new Map<string, number>();
  #furtherUnknown = 0;
  readonly #longIDs = new Map<string, { count: number; example: string }>();

  constructor(file: ImportFile, skipInvalid: boolean) {
    this.#file = file;
    this.#skipInvalid = skipInvalid;
  }

  /**
   * Yields the values of each record, in the order of its fields.
   *
   * @throws InvalidFile at the end, if a value is not valid and such values are not skipped
   * @throws Error if the file changes meanwhile
   */
  *records(onRead: (bytes: number) => void): Generator<CheckedValues> {
    const { path, isBson } = this.#file;
    const before = stateOf(path);
    for (const read of (isBson ? readBson : readJson)(path, onRead)) {
      const record = this.#toRecord(read);
      if (typeof record === "string") {
        this.problems += 1;
        const place = isBson ? `${path}, document ${read.line}` : `${path}:${read.line}`;
        if (this.problems <= mostPrinted) this.#printed.push(`${place}: ${record}`);
        // The rest cannot be counted, so do not skip it.
        if ("isLast" in read && read.isLast) throw new InvalidFile();
      } else if (this.problems === 0 || this.#skipInvalid) {
        this.count += 1;
        yield record;
      }
    }
    if (this.problems > 0 && !this.#skipInvalid) throw new InvalidFile();
    if (stateOf(path) !== before) throw new Error("it was written to while it was read: import it when it is whole");
  }

  /** Prints problems and warnings. */
  report(): void {
    const { name } = this.#file;
    for (const problem of this.#printed) print(problem);
    if (this.problems > this.#printed.length) print(`... and ${grouped(this.problems - this.#printed.length)} more`);
    for (const [field, count] of this.#unknownFields) {
      print(`warning: ${name}: "${field}" is no field, left out ${grouped(count)} times`);
    }
    if (this.#furtherUnknown > 0) {
      print(`warning: ${name}: other names are no fields, left out ${grouped(this.#furtherUnknown)} times`);
    }
    for (const [field, { count, example }] of this.#longIDs) {
      const limit = `${defaultLimits.idLength} characters`;
      print(
        `warning: ${name}: ${grouped(count)} ${field} have more than ${limit}, such as ${example}: nobody can ask for them`,
      );
    }
  }

  /** The record, or its problem. */
  #toRecord(read: ReadValue): CheckedValues | string {
    if ("problem" in read) return read.problem;
    const { records, fromReference, isBson } = this.#file;
    const fields = recordFields[records];
    let candidate = read.value;
    try {
      if (fromReference) candidate = fromReferenceDocument(records, candidate);
    } catch (error) {
      return `is no ${isBson ? "BSON" : "Extended JSON"}: ${error instanceof Error ? error.message : String(error)}`;
    }
    const { values, mistake } = checkedValues(fields, candidate);
    if (values === undefined) return `${mistake.field ?? "the record"} ${mistake.message}`;
    if (!fromReference) this.#countUnknownFields(candidate as object, fields);
    for (const [index, [field]] of keyFields[records].entries()) this.#countLongID(field, String(values[index]));
    return values;
  }

  #countUnknownFields(value: object, fields: Fields): void {
    for (const field of Object.keys(value)) {
      if (fields.some(([known]) => known === field)) continue;
      const count = this.#unknownFields.get(field) ?? 0;
      if (count === 0 && this.#unknownFields.size === mostPrinted) this.#furtherUnknown += 1;
      else this.#unknownFields.set(field, count + 1);
    }
  }

  #countLongID(field: string, id: string): void {
    const most = defaultLimits.idLength;
    if (id.length <= most || [...id].length <= most) return;
    const found = this.#longIDs.get(field) ?? { count: 0, example: `${[...id].slice(0, most).join("")}...` };
    this.#longIDs.set(field, { ...found, count: found.count + 1 });
  }
}

/** A text that differs after somebody has written to a file. */
function stateOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs}`;
}
