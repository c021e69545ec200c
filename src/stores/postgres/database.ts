import { raw, type Sql, sql } from "./sql.js";

/** What the store needs of a pool of connections; the `Pool` of `pg` fits. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(): Promise<PostgresConnection>;
}

/** What the store needs of a connection that it borrows. */
export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives it back; with `true` where it cannot be used any more. */
  release(isBroken?: boolean): void;
  on?: Listening;
  off?: Listening;
}

interface Listening {
  (event: "error", listener: (error: Error) => void): unknown;
  (event: "notice", listener: (notice: Notice) => void): unknown;
}

/** What the server says beside its answers. */
interface Notice {
  /** Which function of the server says it, whatever the language of the message is. */
  routine?: string | undefined;
}

/** A row of a result, by the names of its columns. All values are texts or NULL: a host may parse other types in its own way. */
export type Row = Record<string, unknown>;

type Queryable = Pick<PostgresConnection, "query">;

/** Runs a statement without a name, which a pooler between us and the server may give to any connection. */
export async function run(queryable: Queryable, { text, values }: Sql): Promise<Row[]> {
  const { rows } = await queryable.query(text, [...values]);
  return rows as Row[];
}

/** Borrows a connection. What is done with it may cut it, and then others get it no more. */
export async function borrowing<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection, cut: () => void) => Promise<Result>,
): Promise<Result> {
  const connection = await connected(pool);
  // Where what waits for a synchronous replica is cancelled, the server says so beside its answer, which is none of an error.
  let isAlone = false;
  const onNotice = ({ routine }: Notice) => {
    isAlone ||= routine === "SyncRepWaitForLSN";
  };
  connection.on?.("notice", onNotice);
  let isCut = false;
  const cut = () => {
    if (isCut) return;
    isCut = true;
    connection.release(true);
  };
  try {
    const result = await work(connection, cut);
    if (isAlone) throw new Error("what was written may be lost: it was cancelled before a synchronous replica had it");
    return result;
  } catch (error) {
    if (codeOf(error) === undefined) cut();
    throw error;
  } finally {
    if (!isCut) {
      connection.off?.("error", ignore);
      connection.off?.("notice", onNotice);
      connection.release();
    }
  }
}

/**
 * Borrows a connection that is listened to. One that is cut says so to those who wait for a statement, and as an event,
 * which ends the process where nobody listens. The server may say it in the same packet as that it is ready, so that a
 * promise of the connection comes too late: `pg` calls back at once.
 */
function connected(pool: PostgresPool): Promise<PostgresConnection> {
  return new Promise((resolve, reject) => {
    const listen = (connection: PostgresConnection) => {
      connection.on?.("error", ignore);
      resolve(connection);
    };
    const connect: (callback: Connected) => Promise<PostgresConnection> | undefined = pool.connect.bind(pool);
    // Other pools give a promise all the same.
    connect((error, connection) => (error ? reject(error) : listen(connection)))?.then(listen, reject);
  });
}

type Connected = (error: Error | undefined, connection: PostgresConnection) => void;

function ignore(): void {}

/** A transaction that sees what others commit meanwhile, whatever the host's own default is. */
export const readCommitted = raw("READ COMMITTED READ WRITE");

/** Runs something in a transaction of its own. */
export function transaction<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<Result>,
  mode = readCommitted,
): Promise<Result> {
  return borrowing(pool, (connection, cut) => inTransaction(connection, mode, () => work(connection), cut));
}

/** Runs something in a transaction of a connection, which is cut where it cannot be used any more. */
export async function inTransaction<Result>(
  connection: PostgresConnection,
  mode: Sql,
  work: () => Promise<Result>,
  cut: () => void,
): Promise<Result> {
  await run(connection, sql`BEGIN ISOLATION LEVEL ${mode}`);
  try {
    const result = await work();
    await run(connection, sql`COMMIT`);
    return result;
  } catch (error) {
    await run(connection, sql`ROLLBACK`).catch(cut);
    throw error;
  }
}

/** How often something is begun again that others were in the way of. */
const mostAttempts = 8;

/** A serialization failure, and a deadlock. */
const isInTheWay = new Set(["40001", "40P01"]);

/**
 * Runs something that others may be in the way of, a few times; it has changed nothing when it fails so. What is run
 * from the second time on may be given: something that costs more, and that others are in the way of less.
 */
export async function retried<Result>(work: () => Promise<Result>, again = work): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (attempt === 1 ? work() : again());
    } catch (error) {
      if (attempt === mostAttempts || !isInTheWay.has(codeOf(error) ?? "")) throw error;
      // Those who met here are not to meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** attempt));
    }
  }
}

/** The code that the server has given to an error; undefined for one that is none of the server's, such as EPIPE. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * Whether another server may do what has failed: this one cannot be reached, has no connection left, starts or stops, or
 * was in the way too often.
 */
export function isForOthers(error: unknown): boolean {
  return /^(08|40|53|57P)/.test(codeOf(error) ?? "08");
}

/** Runs a statement in a transaction, and tells whether it has: where a row with a key of its is there, nothing is changed. */
export async function unlessDuplicate(connection: PostgresConnection, statement: Sql): Promise<boolean> {
  await run(connection, sql`SAVEPOINT attempt`);
  try {
    await run(connection, statement);
    await run(connection, sql`RELEASE SAVEPOINT attempt`);
    return true;
  } catch (error) {
    if (codeOf(error) !== uniqueViolation) throw error;
    await run(connection, sql`ROLLBACK TO SAVEPOINT attempt`);
    return false;
  }
}

const uniqueViolation = "23505";

/** Whether a statement has failed because it would write a view. */
export function isView(error: unknown): boolean {
  return codeOf(error) === "55000";
}

/**
 * Looks up names in a schema alone, until the transaction ends, and has statements fail that policies hide rows from: all
 * of them are counted.
 */
export async function useSchema(connection: PostgresConnection, schema: Sql): Promise<void> {
  const path = `${schema.text}, pg_temp`;
  await run(connection, sql`SELECT set_config('search_path', ${path}, true), set_config('row_security', 'off', true)`);
}
