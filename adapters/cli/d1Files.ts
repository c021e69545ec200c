/** Files of SQL that fill a D1 database, each for `wrangler d1 execute --file`. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RecordName, type RecordSet, recordFields, recordKeys } from "../../src/records.js";
import { upsertStatements } from "../../src/stores/sqlite/records/write.js";
import { defaultSizes } from "../../src/stores/sqlite/schema/sizes.js";
import { name, names, our, raw, sql } from "../../src/stores/sqlite/sql.js";
import { build } from "../../src/stores/sqlite/upkeep/bulk.js";
import type { CopiedRecord } from "./databases/databaseKind.js";

/** The most bytes of the rows in a statement. D1 takes statements of up to 100,000 bytes. */
const mostRowBytes = 80_000;

/** The most bytes of a file. Wrangler runs all its statements at once, and a local database takes no more. */
const mostFileBytes = 2_000_000;

/** The most bytes of a character of a text in a statement, which may be escaped. A surrogate pair has two of them. */
const characterBytes = 6;

/** The most bytes of a key in a statement. Each part of a long text needs room beside it. */
const mostKeyBytes = 60_000;

/** The most bytes of a row in D1. */
const mostStoredBytes = 2_000_000;

/** Writes records into files of a folder. */
export class D1Files {
  readonly #folder: string;
  #statements: string[] = [];
  #bytes = 0;
  #files = 0;
  readonly #tables = new Set<RecordName>();

  /** @throws Error if the folder is not empty */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) throw new Error(`the folder ${folder} is not empty: name a new one`);
    this.#folder = folder;
  }

  /** The record, if D1 can hold it. */
  held(table: RecordName, record: CopiedRecord): CopiedRecord | undefined {
    const values = recordFields[table].map(([field]) => record[field] ?? "");
    const bytes = values.reduce((sum: number, value) => sum + Buffer.byteLength(String(value)), 0);
    if (bytes * characterBytes <= mostRowBytes) return record;
    return bytes <= mostStoredBytes && keyBytesOf(table, values) <= mostKeyBytes ? record : undefined;
  }

  async put(records: RecordSet): Promise<void> {
    for (const [table, rows] of Object.entries(records)) {
      this.#tables.add(table as RecordName);
      const records = rows as Iterable<CopiedRecord>;
      for (const statement of statementsFor(table as RecordName, records)) this.#add(statement);
    }
  }

  /**
   * Writes the remaining records, and the statements that build the lists: otherwise the first page would have to settle
   * all of them. Returns the number of files.
   */
  finish(): number {
    if (this.#tables.size > 0) for (const { text } of build(defaultSizes, this.#tables)) this.#add(text);
    if (this.#statements.length > 0) this.#write();
    return this.#files;
  }

  #add(statement: string): void {
    this.#statements.push(`${statement};\n`);
    this.#bytes += Buffer.byteLength(statement);
    if (this.#bytes > mostFileBytes) this.#write();
  }

  #write(): void {
    this.#files += 1;
    const path = join(this.#folder, `${String(this.#files).padStart(6, "0")}.sql`);
    writeFileSync(path, this.#statements.join("\n"), { flush: true });
    this.#statements = [];
    this.#bytes = 0;
  }
}

type Value = CopiedRecord[string];

function* upsert(table: RecordName, rows: string[]): Generator<string> {
  if (rows.length === 0) return;
  for (const { text, values } of upsertStatements(new Map([[table, rows]]))) {
    yield text.replace("?", () => `'${values[0]}'`);
  }
}

function* statementsFor(table: RecordName, records: Iterable<CopiedRecord>): Generator<string> {
  let rows: string[] = [];
  let bytes = 0;
  for (const record of records) {
    const values = recordFields[table].map(([field]) => record[field] ?? "");
    const row = jsonOf(values);
    const rowBytes = Buffer.byteLength(row);
    if (bytes + rowBytes > mostRowBytes) {
      yield* upsert(table, rows);
      rows = [];
      bytes = 0;
    }
    if (rowBytes > mostRowBytes) {
      yield* longRow(table, values);
      continue;
    }
    rows.push(row);
    bytes += rowBytes;
  }
  yield* upsert(table, rows);
}

function keyBytesOf(table: RecordName, values: readonly Value[]): number {
  return Buffer.byteLength(jsonOf(values.slice(0, recordKeys[table].length)));
}

/** The statements for a row whose texts are too long for one statement: the later ones append these texts. */
function* longRow(table: RecordName, values: readonly Value[]): Generator<string> {
  const keys = recordKeys[table];
  const isLong = (value: Value, index: number) => index >= keys.length && typeof value === "string";
  yield* upsert(table, [jsonOf(values.map((value, index) => (isLong(value, index) ? "" : value)))]);
  const key = raw(keys.map((_, index) => literal(values[index] ?? "")).join(", "));
  const pieceLength = Math.floor((mostRowBytes - keyBytesOf(table, values)) / characterBytes);
  for (const [index, [field]] of recordFields[table].entries()) {
    const value = values[index] ?? "";
    if (!isLong(value, index)) continue;
    for (const piece of pieces(String(value), pieceLength)) {
      yield sql`
        UPDATE ${our(table)} SET ${name(field)} = ${name(field)} || ${raw(literal(piece))}
          WHERE (${names(keys)}) = (${key})`.text;
    }
  }
}

/** Splits a text into parts, but never within a character. */
function* pieces(text: string, pieceLength: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + pieceLength;
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** An expression for a value in JSON. */
function literal(value: Value): string {
  return `('${jsonOf([value])}' ->> 0)`;
}

/** JSON without any character that ends a text, a line or a statement, or begins a comment: programs split such files. */
function jsonOf(value: unknown): string {
  const escaped = (found: string) =>
    Array.from(found, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  return JSON.stringify(value).replace(/[';\u007f-\u009f\u2028\u2029]|--|\/\*/g, escaped);
}
