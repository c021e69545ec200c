/** Databases in SQLite files. */
import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import type { Engine } from "../../../src/stores/drivers/connection.js";
import { explainFailure } from "../../../src/stores/drivers/explainFailure.js";
import { hasContent } from "../../../src/stores/drivers/fileGuard.js";
import { fullPath, requireReadable, requireWritable } from "../../../src/stores/drivers/filePath.js";
import { loadEngine as loadAnyEngine } from "../../../src/stores/drivers/loadEngine.js";
import type { Finding } from "../../../src/stores/finding.js";
import type { SqlDatabase, Statements } from "../../../src/stores/sqlite/database.js";
import { failedBy, isMalformedSchema } from "../../../src/stores/sqlite/failures.js";
import { readsFromRecords } from "../../../src/stores/sqlite/fromRecords.js";
import { mappedDatabase } from "../../../src/stores/sqlite/map/mapped.js";
import { countRecords, everyRecord } from "../../../src/stores/sqlite/records/read.js";
import { danglingReferences } from "../../../src/stores/sqlite/records/references.js";
import { isEmpty } from "../../../src/stores/sqlite/records/write.js";
import { noteImport, place } from "../../../src/stores/sqlite/schema/lastImport.js";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { allKinds, countChanges, settling } from "../../../src/stores/sqlite/settle/settle.js";
import { literal, sql } from "../../../src/stores/sqlite/sql.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { failure } from "../../../src/stores/sqlite/upkeep/comparison.js";
import { putInBulk } from "../../../src/stores/sqlite/upkeep/putInBulk.js";
import { repairLists } from "../../../src/stores/sqlite/upkeep/repair.js";
import { replaceRecords } from "../../../src/stores/sqlite/upkeep/replace.js";
import type { TableMap, TablesSql } from "../../../src/stores/tablesSql.js";
import { print } from "../print.js";
import { stepBar } from "../progress.js";
import { ForeignFile, type Opening, openAnyFile } from "./checkedFile.js";
import type {
  CheckedDatabase,
  CopiedFile,
  Database,
  DatabaseFlags,
  DatabaseSnapshot,
  InstalledTables,
  MappedTables,
} from "./databaseKind.js";

/** Opens the file with a thread for heavy calls. */
export async function openToServe(flags: DatabaseFlags): Promise<Database> {
  const { laneStore } = await import("../../../src/stores/drivers/lane/laneStore.js");
  const engine = await loadEngine();
  if (flags.waits === false) await requireUnlocked(engine, flags.db);
  const database = await openWith(engine, flags);
  if (flags.cachedKilobytes) await database.read([sql`PRAGMA cache_size = ${literal(-flags.cachedKilobytes)}`]);
  const start = { engine: engine.name, file: { path: flags.db } };
  const { store, heavyCallsWaiting, pagesFromRecords } = laneStore(database, start, flags.threads ?? 1);
  const load = async () => ({
    heavyCallsWaiting: heavyCallsWaiting(),
    pagesFromRecords: pagesFromRecords(),
    changesWaiting: await countChanges(database),
  });
  return { ...databaseOf(flags, database, store), load };
}

async function requireUnlocked(engine: Engine, db: string): Promise<void> {
  const { connectToLook } = await import("../../../src/stores/drivers/lookAtFile.js");
  if (!hasContent(db)) return;
  const connection = connectToLook(engine, fullPath(db));
  try {
    connection.all("PRAGMA busy_timeout = 0");
    connection.all("SELECT count(*) FROM sqlite_master");
  } catch (error) {
    if (failedBy(error, "BUSY")) throw new Error(`another process has locked the database ${db}`, { cause: error });
  } finally {
    connection.close();
  }
}

export async function openToImport(flags: DatabaseFlags): Promise<Database> {
  const database = await openWith(await loadEngine(), flags);
  return databaseOf(flags, database, createSqlStore(database, putInBulk(defaultSizes, stepBar("building the lists"))));
}

export async function openToCheck({ db }: DatabaseFlags): Promise<CheckedDatabase> {
  requireFile(db);
  const engine = await loadEngine();
  return {
    name: db,
    async check(onCheck) {
      try {
        return await closing(openAnyFile(engine, db, "read"), (database) =>
          checkLists(database, defaultSizes, onCheck),
        );
      } catch (error) {
        return whyUnopened(db, error);
      }
    },
    async repair(onStep) {
      requireWritable(fullPath(db));
      await closing(openAnyFile(engine, db, "repair"), (database) => repairLists(database, defaultSizes, onStep));
    },
    close: async () => {},
  };
}

export async function mapTables(flags: DatabaseFlags, map: TableMap | undefined): Promise<MappedTables> {
  const { checkMap, installMap } = await import("../../../src/stores/sqlite/upkeep/installMap.js");
  const { removeAll } = await import("../../../src/stores/sqlite/upkeep/removeAll.js");
  requireFile(flags.db, "map the tables in");
  const engine = await loadEngine();
  const isNew = !(await hasTables(engine, flags.db));
  // A map is for tables of another program.
  const database = await openWith(engine, { ...flags, adopt: map !== undefined });
  return closing(database, async () => {
    try {
      await installMap(database, map, stepBar("building the lists"));
    } catch (error) {
      if (isNew) await removeAll(database);
      throw error;
    }
    return { name: flags.db, findings: await checkMap(database) };
  });
}

/** Whether a file has im-admin's tables already. */
async function hasTables(engine: Engine, db: string): Promise<boolean> {
  const { connectToLook } = await import("../../../src/stores/drivers/lookAtFile.js");
  const { ownerOf } = await import("../../../src/stores/drivers/ownership.js");
  const connection = connectToLook(engine, fullPath(db));
  try {
    return ownerOf(connection) === "us";
  } finally {
    connection.close();
  }
}

export async function installedTables({ db: name }: DatabaseFlags): Promise<InstalledTables> {
  const { installedMap } = await import("../../../src/stores/sqlite/upkeep/installMap.js");
  requireFile(name, "read");
  try {
    const map = await closing(openAnyFile(await loadEngine(), name, "read"), installedMap);
    return { name, isThere: true, map };
  } catch (error) {
    if (error instanceof ForeignFile) return { name, isThere: false };
    throw refusal("read", name, error);
  }
}

export async function removeTables({ db: name }: DatabaseFlags): Promise<{ name: string }> {
  const { removeAll } = await import("../../../src/stores/sqlite/upkeep/removeAll.js");
  requireFile(name, "remove im-admin from");
  const engine = await loadEngine();
  try {
    requireWritable(fullPath(name));
    await closing(openAnyFile(engine, name, "repair"), (database) => removeAll(database));
  } catch (error) {
    throw refusal("remove im-admin from", name, error);
  }
  return { name };
}

export async function mapText(_flags: DatabaseFlags, map: TableMap): Promise<TablesSql> {
  const { tablesSql } = await import("../../../src/stores/tablesSql.js");
  return tablesSql(map, { engine: "sqlite" });
}

/** Opens a file to read its records as they are now. It writes nothing to the file, whose lists may be damaged. */
export async function openToCopy(path: string): Promise<CopiedFile> {
  const database = await openSnapshot(path, "copy").catch((error: Error) => {
    if (isMalformedSchema(error.cause)) return openSnapshot(path, "copy", "rescue");
    throw error;
  });
  return {
    count: (table) => countRecords(database, table),
    records: (table, size) => everyRecord(database, table, size),
    close: () => database.close(),
  };
}

export async function openToExport({ db }: DatabaseFlags): Promise<DatabaseSnapshot> {
  const { jsonUnless } = await import("../../../src/stores/drivers/fileDatabase.js");
  const { lostTriggers } = await import("../../../src/stores/sqlite/upkeep/installMap.js");
  let database = await openSnapshot(db, "export");
  if ((await countChanges(database)) > 0) {
    await database.close();
    await settleFile(db);
    database = await openSnapshot(db, "export");
  }
  const isKept = ((await lostTriggers(database)) ?? []).length === 0;
  const store = createSqlStore({
    ...database,
    jsonOf: jsonUnless,
    unsettled: { patience: 0, records: readsFromRecords(database) },
    lookAtSchema: () => isKept,
  });
  return { name: db, store, close: () => database.close() };
}

/** Settles all changes, if the file can be written. Otherwise an export reads the records alone, which is slow. */
async function settleFile(db: string): Promise<void> {
  try {
    requireWritable(fullPath(db));
    const file = openAnyFile(await loadEngine(), db, "repair");
    await closing(file, async () => void (await mappedDatabase(file).write(settling(defaultSizes, allKinds))));
  } catch {
    // The file is read-only, or another process has the lock.
  }
}

/** Opens a file as it is now, if it has the current schema. The purpose stands in messages. */
async function openSnapshot(path: string, purpose: string, mode: Opening = "snapshot"): Promise<SqlDatabase> {
  requireFile(path, purpose);
  const engine = await loadEngine();
  function refuse(error: unknown): never {
    throw refusal(purpose, path, error);
  }
  let database: SqlDatabase;
  try {
    database = openAnyFile(engine, path, mode);
  } catch (error) {
    return refuse(error);
  }
  const version = await schemaVersionOf(database).catch(() => schemaVersion);
  if (version < schemaVersion) {
    await database.close();
    refuse(
      new Error(`its schema has version ${version} of ${schemaVersion}: open it once for writing, by im-admin serve`),
    );
  }
  // A read finds damaged pages.
  return mappedDatabase({ ...database, read: (statements: Statements) => database.read(statements).catch(refuse) });
}

function refusal(purpose: string, path: string, error: unknown): Error {
  const reason = explainFailure(error) ?? (error instanceof Error ? error.message : String(error));
  return new Error(`cannot ${purpose} ${path}: ${reason}`, { cause: error });
}

async function schemaVersionOf(database: SqlDatabase): Promise<number> {
  const [[row] = []] = await database.read([{ text: "SELECT version FROM im_admin_schema_version", values: [] }]);
  return Number(row?.["version"] ?? schemaVersion);
}

async function openWith(engine: Engine, { db: path, adopt = false }: DatabaseFlags) {
  const { openFileDatabase } = await import("../../../src/stores/drivers/fileDatabase.js");
  return openFileDatabase(engine, { path, adopt }, stepBar("bringing the database to the current schema"));
}

function databaseOf({ db: name }: DatabaseFlags, database: SqlDatabase, store: BundledStore): Database {
  return {
    name,
    store,
    holds: () => true,
    isEmpty: () => isEmpty(database),
    danglingReferences: () => danglingReferences(database),
    replace: (...replaced) => replaceRecords(database, defaultSizes, ...replaced, stepBar("building the lists")),
    lastImport: async () => (await place(database)).time,
    noteImport: (time) => noteImport(database, time),
    close: () => store.close(),
  };
}

function requireFile(db: string, purpose = "check"): void {
  if (!existsSync(db)) throw new Error(`there is no database ${db}`);
  try {
    requireReadable(fullPath(db));
  } catch (error) {
    throw new Error(`cannot ${purpose} the database ${db}: ${(error as Error).message}`, { cause: error });
  }
  if (!hasContent(db)) throw new Error(`${db} is empty: it is no database of im-admin`);
}

function whyUnopened(db: string, error: unknown): Finding[] {
  if (error instanceof ForeignFile) throw new Error(`cannot check ${db}: ${error.message}`, { cause: error });
  return [failure("the database", error)];
}

async function closing<Result>(database: SqlDatabase, use: (database: SqlDatabase) => Promise<Result>) {
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Loads the engine, and says so once if an installed better-sqlite3 cannot be used. */
function loadEngine(): Promise<Engine> {
  return loadAnyEngine((reason) => {
    if (isNode && isFirstProcess)
      print(`im-admin: node:sqlite is used, since better-sqlite3 cannot be loaded: ${reason}`);
  });
}

/** Bun and Deno cannot load what is compiled for Node, and nothing is wrong there. */
const isNode = !("bun" in process.versions || "deno" in process.versions);

/** The other processes and threads of `serve` would say the same. */
const isFirstProcess = isMainThread && (cluster.worker === undefined || cluster.worker.id === 1);
