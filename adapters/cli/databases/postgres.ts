/** Databases in PostgreSQL. A URL names them. */
import { setImmediate } from "node:timers/promises";
import type pg from "pg";
import { commandToAdd } from "../../../src/stores/drivers/packageManager.js";
import { type Finding, unchecked } from "../../../src/stores/finding.js";
import type { PostgresPool } from "../../../src/stores/postgres/index.js";
import type { Sql } from "../../../src/stores/postgres/sql.js";
import type { TableMap, TablesSql } from "../../../src/stores/tablesSql.js";
import { unreadableURL } from "../databaseURL.js";
import { stepBar } from "../progress.js";
import type {
  CheckedDatabase,
  Database,
  DatabaseFlags,
  DatabaseSnapshot,
  InstalledTables,
  MapFlags,
  MappedTables,
} from "./databaseKind.js";
import { explainPostgres } from "./explainPostgres.js";

/** How long a connection may take, in milliseconds. */
const connectionTimeoutMillis = 10_000;

/** The pause between two rounds of settling, in milliseconds. */
const settlePause = 1000;

/** Opens a database, and settles its changes every second until it is closed. */
export async function openToServe(flags: DatabaseFlags): Promise<Database> {
  const { pool, database, named } = await openMigrated(flags);
  const { countChanges, settle } = await import("../../../src/stores/postgres/settle/settle.js");
  let settledAt = performance.now();
  const goesOn = () => {
    settledAt = performance.now();
  };
  let settling = Promise.resolve();
  const timer = setInterval(() => {
    // Ignore failures: lists stay right, the next round tries again, and readers report problems of the database.
    settling = settling.then(() => settle(pool, named, Number.POSITIVE_INFINITY, goesOn)).then(goesOn, ignore);
  }, settlePause).unref();
  return {
    ...database,
    load: async () => ({
      changesWaiting: await countChanges(pool, named),
      secondsSinceSettled: (performance.now() - settledAt) / 1000,
    }),
    async close() {
      clearInterval(timer);
      await settling;
      await pool.end();
    },
  };
}

/** Opens a database to fill it. `finish` settles all changes. */
export async function openToImport(flags: DatabaseFlags): Promise<Database> {
  const { database, pool, named } = await openMigrated(flags);
  return { ...database, finish: () => settleAll(pool, named) };
}

/** Settles as many changes as there are now: a host may go on appending as fast as they are settled. */
async function settleAll(pool: pg.Pool, named: Sql): Promise<boolean> {
  const { countChanges, settle } = await import("../../../src/stores/postgres/settle/settle.js");
  const changes = await countChanges(pool, named);
  if (changes === 0) return true;
  const bar = stepBar("building the lists");
  const { settled, isDone } = await settle(pool, named, changes, (done) => bar(Math.min(done, changes - 1), changes));
  bar(changes, changes);
  return isDone || settled >= changes;
}

/** Settles, and returns whether nobody else does. */
export async function settle(flags: DatabaseFlags): Promise<{ name: string; isDone: boolean }> {
  return using(flags, async ({ pool, name, named }) => ({ name, isDone: await settleAll(pool, named) }));
}

/** The migration as SQL. */
export async function migrationText({ schema }: DatabaseFlags): Promise<string> {
  const { migration } = await import("../../../src/stores/postgres/upkeep/migration.js");
  const { schemaName } = await import("../../../src/stores/postgres/names.js");
  return migration(schemaName(schema)).text;
}

/** Migrates, or only checks. `reason` says why a migration was needed; it is undefined if none was. */
export async function migrate(
  flags: DatabaseFlags,
  isCheck: boolean,
): Promise<{ name: string; reason?: string | undefined }> {
  const { migratePostgres } = await import("../../../src/stores/postgres/index.js");
  const { whyMigrate } = await import("../../../src/stores/postgres/upkeep/migrate.js");
  return using(flags, async ({ pool, name, named }) => {
    const reason = await whyMigrate(pool, named);
    if (!isCheck) await migratePostgres(pool, schemaOf(flags));
    return { name, reason };
  });
}

function schemaOf({ schema }: DatabaseFlags): { schema?: string } {
  return schema === undefined ? {} : { schema };
}

async function openMigrated(flags: DatabaseFlags): Promise<{ database: Database; pool: pg.Pool; named: Sql }> {
  const { createPostgresStore, migratePostgres } = await import("../../../src/stores/postgres/index.js");
  const { holds } = await import("../../../src/stores/postgres/schema/holds.js");
  const { isEmpty } = await import("../../../src/stores/postgres/records/read.js");
  const { danglingReferences } = await import("../../../src/stores/postgres/records/references.js");
  const { replaceRecords } = await import("../../../src/stores/postgres/upkeep/replace.js");
  const { noteImport, place } = await import("../../../src/stores/postgres/upkeep/lastImport.js");
  const { requireReadingRights } = await import("../../../src/stores/postgres/map/rights.js");
  const { name, pool, schema, named } = await connected(flags);
  try {
    await migratePostgres(pool, { schema });
    await requireReadingRights(pool, named);
  } catch (error) {
    const explained = await explain(error, { pool, name, named });
    await pool.end();
    throw explained;
  }
  const database = {
    name,
    store: createPostgresStore({ pool, schema, settle: false }),
    holds,
    isEmpty: () => isEmpty(pool, named),
    danglingReferences: () => danglingReferences(pool, named),
    replace: (...replaced: Parameters<Database["replace"]>) => replaceRecords(pool, named, ...replaced),
    lastImport: async () => (await place(pool, named)).time,
    noteImport: (time?: number) => noteImport(pool, named, time),
    close: () => pool.end(),
  };
  return { database, pool, named };
}

/** Opens a transaction that reads the database as it is now. It runs on a replica, too. */
export async function openToExport(flags: DatabaseFlags): Promise<DatabaseSnapshot> {
  const { createPostgresStore } = await import("../../../src/stores/postgres/index.js");
  const { whyMigrate } = await import("../../../src/stores/postgres/upkeep/migrate.js");
  const { requireReadingRights } = await import("../../../src/stores/postgres/map/rights.js");
  const { name, pool, schema, named } = await connected(flags);
  let connection: pg.PoolClient | undefined;
  const close = async () => {
    connection?.release(true);
    await pool.end();
  };
  try {
    connection = await pool.connect();
    connection.on("error", ignore);
    await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const reason = await whyMigrate(connection, named);
    if (reason !== undefined) throw new Error(`${reason}: im-admin migrate`);
    await requireReadingRights(connection, named);
    return { name, store: createPostgresStore({ pool: poolOf(connection, name), schema, settle: false }), close };
  } catch (error) {
    const explained = await explain(error, { pool, name, named });
    await close();
    throw explained;
  }
}

/** A pool of one connection, which is in a transaction. After a failure, it tells only the first one. */
function poolOf(connection: pg.PoolClient, name: string): PostgresPool {
  let failure: Error | undefined;
  const fail = (error: unknown) => {
    failure ??= explainPostgres(error, name);
  };
  // The server may end the connection while no statement runs.
  connection.on("error", fail);
  return {
    async query(text, values) {
      // Standard output may have blocked the process. Read what the server has sent meanwhile, such as why it ended the
      // connection. This takes two turns of the event loop, since the first may have looked for input already.
      await setImmediate();
      await setImmediate();
      const result = failure ?? (await connection.query(text, values).catch(fail));
      if (failure !== undefined) throw failure;
      return result as pg.QueryResult;
    },
    connect: () => Promise.reject(new Error("this store only reads")),
  };
}

export async function openToCheck(flags: DatabaseFlags): Promise<CheckedDatabase> {
  const { checkLists } = await import("../../../src/stores/postgres/upkeep/checkAll.js");
  const { repairLists } = await import("../../../src/stores/postgres/upkeep/repair.js");
  const { checkMap, renewalOf } = await import("../../../src/stores/postgres/upkeep/installMap.js");
  const { MissingRights, requireReadingRights } = await import("../../../src/stores/postgres/map/rights.js");
  const { name, pool, named } = await connected(flags);
  return {
    name,
    check: async (onCheck) => {
      // Without a right, every check would fail, each in its own words.
      const lacking = await requireReadingRights(pool, named).then(
        () => [],
        (error) => (error instanceof MissingRights ? [unchecked("the database", error)] : []),
      );
      if (lacking.length > 0) return lacking;
      // Settled lists are compared faster. A role that may only read compares them as they are.
      await settleAll(pool, named).catch(() => false);
      const found = await checkLists(pool, named, onCheck).catch((error) => [unchecked("the database", error)]);
      // If im-admin has no tables, there is no map.
      const ofMap = await checkMap(pool, named).catch(() => []);
      return [...found, ...ofMap.filter(({ problem }) => !found.some((known) => known.problem === problem))];
    },
    repair: async (onStep) => repairLists(pool, named, onStep, await renewalOf(pool, named)),
    close: () => pool.end(),
  };
}

/** Tells what is installed, and changes nothing. */
export async function installedTables(flags: DatabaseFlags): Promise<InstalledTables> {
  const { installedMap } = await import("../../../src/stores/postgres/map/installedMap.js");
  return using(flags, async ({ pool, name, named }) => {
    const isThere = await hasTables(pool, named);
    const installed = isThere ? await installedMap(pool, named) : undefined;
    return { name, isThere, map: installed?.map };
  });
}

async function hasTables(pool: pg.Pool, { text }: Sql): Promise<boolean> {
  const { rows } = await pool.query("SELECT WHERE to_regclass($1) IS NOT NULL", [`${text}.table_map`]);
  return rows.length > 0;
}

async function requireTables(pool: pg.Pool, named: Sql): Promise<void> {
  if (!(await hasTables(pool, named))) throw new Error(`the schema ${named.text} has no tables of im-admin`);
}

/** Removes all that im-admin has made. */
export async function removeTables(flags: DatabaseFlags): Promise<{ name: string }> {
  const { removeAll } = await import("../../../src/stores/postgres/upkeep/removeAll.js");
  return using(flags, async ({ pool, name, named }) => {
    await requireTables(pool, named);
    await removeAll(pool, named);
    return { name };
  });
}

/** Installs a map, or removes the installed one if there is no map, and builds the lists. */
export async function mapTables(
  flags: DatabaseFlags,
  map: TableMap | undefined,
  { trustOwner = [] }: MapFlags = {},
): Promise<MappedTables> {
  const { checkMap, installMap } = await import("../../../src/stores/postgres/upkeep/installMap.js");
  return using(flags, async ({ pool, name, named }) => {
    if (map === undefined) await requireTables(pool, named);
    await installMap(pool, named, map, trustOwner, () => settleAll(pool, named));
    const findings = await checkMap(pool, named);
    return { name, findings: map === undefined ? findings : [...findings, ...(await ofSuperuser(pool))] };
  });
}

/** Connects for some work, and explains why it fails. */
async function using<Result>(flags: DatabaseFlags, work: (connected: Connected) => Promise<Result>): Promise<Result> {
  const opened = await connected(flags);
  try {
    return await work(opened);
  } catch (error) {
    throw await explain(error, opened);
  } finally {
    await opened.pool.end();
  }
}

/** Explains a failure. If a right is missing, it tells which statement gives it. */
async function explain(
  error: unknown,
  { pool, name, named }: Pick<Connected, "pool" | "name" | "named">,
): Promise<Error> {
  if ((error as { code?: unknown }).code !== insufficientPrivilege) return explainPostgres(error, name);
  const { MissingRights, requireReadingRights, requireSchemaRights } = await import(
    "../../../src/stores/postgres/map/rights.js"
  );
  try {
    await requireSchemaRights(pool, named);
    await requireReadingRights(pool, named);
  } catch (lacking) {
    if (lacking instanceof MissingRights) return explainPostgres(lacking, name);
  }
  return explainPostgres(error, name);
}

const insufficientPrivilege = "42501";

/** Tells a superuser what the map can do. */
async function ofSuperuser(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query("SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper");
  const problem =
    "a superuser has installed the map, whose triggers have all rights: better let the owner of the tables do it";
  return rows.length === 0 ? [] : [{ kind: "note", problem, count: 1 }];
}

/** The SQL of a map, for a host's own migrations. */
export async function mapText(
  { schema }: DatabaseFlags,
  map: TableMap,
  { trustOwner = [] }: MapFlags = {},
): Promise<TablesSql> {
  const { tablesSql } = await import("../../../src/stores/tablesSql.js");
  return tablesSql(map, { engine: "postgres", schema, trustedOwners: trustOwner });
}

/** Connections to a server, with the schema as SQL. */
type Connected = Awaited<ReturnType<typeof connected>>;

/** Connects to the server, so that problems show at once. */
async function connected({ db, flag = "--db", schema }: DatabaseFlags) {
  const { Client, Pool } = await loadDriver();
  const { schemaName } = await import("../../../src/stores/postgres/names.js");
  const options = { connectionString: db, application_name: "im-admin", connectionTimeoutMillis };
  const client = clientFor(Client, options, unreadableURL(flag));
  client.on("error", ignore);
  const name = nameOf(client);
  try {
    await client.connect();
  } catch (error) {
    throw explainPostgres(error, name);
  } finally {
    await client.end();
  }
  const pool = new Pool(options);
  // If the server cuts an unused connection, the pool opens another one when it is needed.
  pool.on("error", ignore);
  return { name, pool, schema, named: schemaName(schema) };
}

function ignore(): void {}

async function loadDriver(): Promise<typeof pg> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    throw new Error(`the package pg, which speaks to PostgreSQL, cannot be loaded: ${commandToAdd("pg")}`, { cause });
  }
}

function clientFor(Client: typeof pg.Client, options: { connectionString: string }, unreadable: string): pg.Client {
  const [, path = ""] = /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(options.connectionString) ?? [];
  // Messages would show a part of the password as the name of the database.
  if (path.includes("@")) throw new Error(`${unreadable}, with %40, %2F and %23 for @, / and # in a password`);
  try {
    return new Client(options);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === "ERR_INVALID_URL" ? "" : `: ${(cause as Error).message}`;
    throw new Error(`${unreadable}${reason}`, { cause });
  }
}

/** The URL without its password and parameters, completed from the environment. */
function nameOf({ user, host, port, database = user }: pg.Client): string {
  if (host.startsWith("/")) return `postgres:///${database}?host=${host}`;
  const account = user === undefined ? "" : `${user}@`;
  return `postgres://${account}${host.includes(":") ? `[${host}]` : host}:${port}/${database}`;
}
