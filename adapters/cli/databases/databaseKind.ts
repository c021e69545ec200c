/** The interface between commands and kinds of databases. */
import type { RecordName } from "../../../src/records.js";
import type { Store } from "../../../src/store.js";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import type { Finding } from "../../../src/stores/finding.js";
import type { DanglingReference } from "../../../src/stores/references.js";
import type { Difference, Incoming, OnDifference } from "../../../src/stores/replacement.js";
import type { OnStep } from "../../../src/stores/steps.js";
import type { TableMap, TablesSql } from "../../../src/stores/tablesSql.js";

/** The flags that name the database of a command. */
export interface DatabaseFlags {
  db: string;
  /** The flag that named the database, if not `--db`. */
  flag?: string;
  adopt?: boolean;
  schema?: string;
  /** How many threads make heavy calls on a file. */
  threads?: number;
  /** The size of SQLite's cache, if not the usual one; in units of 1024 bytes. */
  cachedKilobytes?: number;
  /** Whether to wait for another process that has locked the file. That blocks this process. */
  waits?: boolean;
}

/** A database on any engine, as commands use it. */
export interface Database {
  /** The name for messages, without a password. */
  name: string;
  store: BundledStore;
  /** Whether it can hold a text that has no U+0000 in a field of a record. */
  holds(record: RecordName, field: string, text: string): boolean;
  /** Whether it has no record. */
  isEmpty(): Promise<boolean>;
  danglingReferences(): Promise<DanglingReference[]>;
  /** Makes a table hold exactly these records, in one transaction, unless `onDifference` throws. */
  replace(table: RecordName, incoming: Incoming, onDifference: OnDifference): Promise<Difference>;
  /** Up to when the records are those of another server, in milliseconds since 1970; undefined if they never were. */
  lastImport(): Promise<number | undefined>;
  /** Notes an import, and when it began if it was complete. */
  noteImport(time?: number): Promise<void>;
  /** How much work waits for the database. */
  load?(): Promise<Load>;
  /** Settles all writes, if the database does not do so at once. */
  finish?(): Promise<unknown>;
  close(): Promise<void>;
}

/** How much work waits for a database. Each engine has some of these fields. */
export interface Load {
  heavyCallsWaiting?: number;
  pagesFromRecords?: number;
  changesWaiting?: number;
  secondsSinceSettled?: number;
}

/** A database to check and repair. */
export interface CheckedDatabase {
  name: string;
  check(onCheck: OnStep): Promise<Finding[]>;
  repair(onStep: OnStep): Promise<void>;
  close(): Promise<void>;
}

/** The flags of an installation. */
export interface MapFlags {
  /** Roles of PostgreSQL whose tables a map may read, beside those of the user who installs it. */
  trustOwner?: readonly string[];
}

/** The result of installing or removing a map. */
export interface MappedTables {
  name: string;
  findings: readonly Finding[];
}

/** What a database has of im-admin. */
export interface InstalledTables {
  name: string;
  /** Whether it has im-admin's tables. */
  isThere: boolean;
  /** The installed map, if there is one. */
  map?: TableMap | undefined;
}

/** A database as it was when it was opened, also if others write to it. */
export interface DatabaseSnapshot {
  /** The name for messages, without a password. */
  name: string;
  store: Store;
  close(): Promise<void>;
}

/** A record as a file has it. */
export type CopiedRecord = Readonly<Record<string, string | number | boolean>>;

/** A database file to copy from. */
export interface CopiedFile {
  count(table: RecordName): Promise<number>;
  /** Yields all records of a table in arrays of this size. */
  records(table: RecordName, size: number): AsyncGenerator<CopiedRecord[]>;
  close(): Promise<void>;
}

/** The functions that each kind of database has. */
export interface DatabaseKind {
  openToServe(flags: DatabaseFlags): Promise<Database>;
  openToImport(flags: DatabaseFlags): Promise<Database>;
  openToExport(flags: DatabaseFlags): Promise<DatabaseSnapshot>;
  openToCheck(flags: DatabaseFlags): Promise<CheckedDatabase>;
  /** Tells what is installed, and changes nothing. */
  installedTables(flags: DatabaseFlags): Promise<InstalledTables>;
  /** Removes all that im-admin has made. */
  removeTables(flags: DatabaseFlags): Promise<{ name: string }>;
  /** Installs a map, or removes the installed one if there is no map. */
  mapTables(flags: DatabaseFlags, map: TableMap | undefined, mapFlags: MapFlags): Promise<MappedTables>;
  /** The SQL of a map, for a host's own migrations. */
  mapText(flags: DatabaseFlags, map: TableMap, mapFlags: MapFlags): Promise<TablesSql>;
}
