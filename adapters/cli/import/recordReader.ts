import { statSync } from "node:fs";
import { type CheckedValues, checkedValues } from "../../../src/checkedRecords.js";
import { isIdentifier, withinLength } from "../../../src/fields.js";
import { defaultLimits } from "../../../src/limits.js";
import { heldValues } from "../../../src/openim/collections.js";
import { type Fields, keyFields, type RecordName, recordFields } from "../../../src/records.js";
import { print } from "../print.js";
import { grouped } from "../report.js";
import { shortened } from "../shortened.js";
import type { ImportFile } from "./files.js";
import { readBson } from "./readBson.js";
import { type ReadValue, readJson } from "./readJson.js";
import { readDocument } from "./reference.js";

/** The most lines of one kind that are printed. The others are counted. */
export const mostPrinted = 10;

/** Ends the transaction that reads a file, so that it writes nothing. */
export class InvalidFile extends Error {}

/** The most examples of what is told together. */
const mostExamples = 3;

/** How many there are of something, and the first of them. */
interface Found {
  count: number;
  examples: string[];
}

const none = (): Found => ({ count: 0, examples: [] });

function count(found: Found, example: string): void {
  found.count += 1;
  if (found.examples.length < mostExamples) found.examples.push(example);
}

/** A key for a message. */
function quoted(id: string): string {
  return JSON.stringify(shortened(id, defaultLimits.idLength));
}

/** What a file must comply with. */
export interface Rules {
  /** Whether documents of the reference server must be valid as they are. */
  strict: boolean;
  /** Whether the database can hold a text in a field of a record. */
  holds(record: RecordName, field: string, text: string): boolean;
}

/** Reads the records of a file once, and remembers the problems. */
export class RecordReader {
  /** How many records it has yielded. */
  count = 0;
  /** How many values are not valid. */
  problems = 0;
  /** The values of the reference server that were changed. */
  readonly mended = none();
  /** The documents of the reference server that have no usable key. */
  readonly leftOut = none();
  readonly #file: ImportFile;
  readonly #rules: Rules;
  readonly #printed: string[] = [];
  readonly #unknownFields = new Map<string, number>();
  #furtherUnknown = 0;
  readonly #unaskable = new Map<string, Found>();

  constructor(file: ImportFile, rules: Rules) {
    this.#file = file;
    this.#rules = rules;
  }

  /**
   * Yields the values of each record, in the order of its fields.
   *
   * @throws InvalidFile at the end, if a value is not valid
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
        // The rest cannot be counted.
        if ("isLast" in read && read.isLast) throw new InvalidFile();
      } else if (record !== undefined && this.problems === 0) {
        this.count += 1;
        yield record;
      }
    }
    if (this.problems > 0) throw new InvalidFile();
    if (stateOf(path) !== before) throw new Error("it was written to while it was read: import it when it is whole");
  }

  /** Prints problems and warnings. */
  report(): void {
    const { name } = this.#file;
    for (const problem of this.#printed) print(problem);
    if (this.problems > this.#printed.length) print(`... and ${grouped(this.problems - this.#printed.length)} more`);
    for (const [field, count] of this.#unknownFields) {
      print(`warning: ${name}: "${shortened(field)}" is no field, left out ${grouped(count)} times`);
    }
    if (this.#furtherUnknown > 0) {
      print(`warning: ${name}: other names are no fields, left out ${grouped(this.#furtherUnknown)} times`);
    }
    if (this.problems > 0) return;
    const tell = ({ count, examples }: Found, what: string, why: string) => {
      if (count > 0) print(`warning: ${name}: ${grouped(count)} ${what}, such as ${examples.join(", ")}: ${why}`);
    };
    tell(this.mended, "values are changed", "the database cannot hold them as they are");
    tell(this.leftOut, "documents are left out", "their keys are missing, empty or too long for the database");
    for (const [field, found] of this.#unaskable) {
      const how = `have more than ${defaultLimits.idLength} characters or control characters`;
      tell(found, `${field} ${how}`, "nobody can ask for them");
    }
  }

  /** The record, its problem, or undefined if it is left out. */
  #toRecord(read: ReadValue): CheckedValues | string | undefined {
    if ("problem" in read) return read.problem;
    const { records, fromReference } = this.#file;
    const record = fromReference ? this.#mendedRecord(read.value) : this.#ownRecord(read.value);
    if (typeof record !== "object") return record;
    for (const [index, [field]] of keyFields[records].entries()) {
      const id = String(record[index]);
      if (isIdentifier(id) && withinLength(id, defaultLimits.idLength)) continue;
      const found = this.#unaskable.get(field) ?? none();
      count(found, quoted(id));
      this.#unaskable.set(field, found);
    }
    return record;
  }

  /** The record of a line of im-admin's own. */
  #ownRecord(value: unknown): CheckedValues | string {
    const { records } = this.#file;
    const fields = recordFields[records];
    const { values, mistake } = checkedValues(fields, value);
    if (values === undefined) return `${mistake.field ?? "the record"} ${mistake.message}`;
    for (const [index, [field, { mustBe }]] of keyFields[records].entries()) {
      const id = String(values[index]);
      if (!isIdentifier(id)) return `${field} must be ${mustBe.replace("U+0000", "control characters")}`;
    }
    for (const [index, [field]] of fields.entries()) {
      const text = values[index];
      if (typeof text === "string" && !this.#rules.holds(records, field, text))
        return `${field} is too long for the database`;
    }
    this.#countUnknownFields(value as object, fields);
    return values;
  }

  /** The record of a document of the reference server. Whatever that server has accepted must not stop an import. */
  #mendedRecord(document: unknown): CheckedValues | string | undefined {
    const { records } = this.#file;
    const given = readDocument(document);
    if (typeof given === "string") return given;
    const { values, keys, mistakes } = heldValues(records, given, this.#rules.holds);
    const [first] = mistakes;
    if (first === undefined) return values;
    if (this.#rules.strict) return `${first.field} ${first.message}`;
    const named = keys.map(quoted).join(" ");
    if (values === undefined) count(this.leftOut, `${mistakes.at(-1)?.field} of ${named}`);
    else for (const { field } of mistakes) count(this.mended, `${field} of ${named}`);
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
}

/** A text that differs after somebody has written to a file. */
function stateOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs}`;
}
