/** What commands need of each kind of database. */
import type { CheckedValues } from "../../../src/checkedRecords.js";
import type { RecordName } from "../../../src/records.js";
import type { Store } from "../../../src/store.js";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import type { Finding, OnCheck } from "../../../src/stores/finding.js";
import type { DanglingReference } from "../../../src/stores/references.js";
import type { Difference, OnDifference } from "../../../src/stores/replacement.js";
import type { TableMap, TablesSql } from "../../../src/tables/index.js";

/** Where a command finds its database. */
export interface DatabaseFlags {
  db: string;
  /** The flag that named it, where that is not `--db`. */
  flag?: string;
  adopt?: boolean;
  schema?: string;
  /** How many threads make heavy calls on a file. */
  threads?: number;
}

/** A database as commands use it, whatever engine it is in. */
export interface Database {
  /** What messages call it; it has no password. */
  name: string;
  store: BundledStore;
  /** Whether it has no record. */
  isEmpty(): Promise<boolean>;
  danglingReferences(): Promise<DanglingReference[]>;
  /** Makes a table hold exactly these records, in one transaction, unless `onDifference` throws. */
  replace(table: RecordName, records: Iterable<CheckedValues>, onDifference: OnDifference): Promise<Difference>;
  /** When the last complete import began, in milliseconds since 1970; undefined where there was none. */
  lastImport(): Promise<number | undefined>;
  /** Notes when a complete import began. */
  noteImport(time: number): Promise<void>;
  /** What waits for it. */
  load?(): Promise<Load>;
  /** Makes what it keeps follow all that was written, where it does not do so at once. */
  finish?(): Promise<unknown>;
  close(): Promise<void>;
}

/** What waits for a database, as far as its engine has that. */
export interface Load {
  heavyCallsWaiting?: number;
  changesWaiting?: number;
  secondsSinceSettled?: number;
}

/** A database that is looked at, or mended. */
export interface CheckedDatabase {
  name: string;
  check(onCheck: OnCheck): Promise<Finding[]>;
  repair(onStep: OnCheck): Promise<void>;
  close(): Promise<void>;
}

/** Tables that a map was put over, or taken from. */
export interface MappedTables {
  name: string;
  findings: readonly Finding[];
}

/** A database as it was when it was opened, also if others write to it. */
export interface DatabaseSnapshot {
  /** The name for messages, without a password. */
  name: string;
  store: Store;
  close(): Promise<void>;
}

/** A database file whose records are read. */
export interface CopiedFile {
  count(table: RecordName): Promise<number>;
  /** All records of a table, so many at once. */
  records(table: RecordName, size: number): AsyncGenerator<object[]>;
  close(): Promise<void>;
}

/** What each kind of database can do. */
export interface DatabaseKind {
  openToServe(flags: DatabaseFlags): Promise<Database>;
  openToImport(flags: DatabaseFlags): Promise<Database>;
  openToExport(flags: DatabaseFlags): Promise<DatabaseSnapshot>;
  openToCheck(flags: DatabaseFlags): Promise<CheckedDatabase>;
  /** Puts the lists over the tables of a map; without one, gives the database its own tables again. */
  mapTables(flags: DatabaseFlags, map: TableMap | undefined): Promise<MappedTables>;
  /** The statements of a map, for migrations of a host's own. */
  mapText(flags: DatabaseFlags, map: TableMap): Promise<TablesSql>;
}
