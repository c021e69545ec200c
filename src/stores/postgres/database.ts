import { numbered, raw, type Sql, sql } from "./sql.js";

/** What the store needs of a pool of connections; the `Pool` of `pg` fits. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(): Promise<PostgresConnection>;
}

/** What the store needs of a connection that it borrows. */
export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives the connection back; with `true` if it is broken. */
  release(isBroken?: boolean): void;
  on?: Listening;
  off?: Listening;
}

interface Listening {
  (event: "error", listener: (error: Error) => void): unknown;
  (event: "notice", listener: (notice: Notice) => void): unknown;
}

/** A notice of the server, beside its answers. */
interface Notice {
  /** The function of the server that sends the notice. Unlike the message, it does not depend on a language. */
  routine?: string | undefined;
}

/**
 * A row of a result, by the names of its columns. All values are texts or NULL, since a host may change the parsers of
 * other types.
 */
export type Row = Record<string, unknown>;

/** What runs single statements: a connection or a pool. */
export type Queryable = Pick<PostgresConnection, "query">;

/** Runs a statement without a name, so that a pooler may run it on any connection. */
export async function run(queryable: Queryable, statement: Sql): Promise<Row[]> {
  const { rows } = await queryable.query(numbered(statement), [...statement.values]);
  return rows as Row[];
}

/** Borrows a connection. `work` may cut it; the pool then does not use it again. */
export async function borrowing<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection, cut: () => void) => Promise<Result>,
): Promise<Result> {
  const connection = await connected(pool);
  // If a wait for a synchronous replica is cancelled, the server sends only a notice, and no error.
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
    if (isAlone) throw new Error("the write may be lost: it was cancelled before a synchronous replica had it");
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
 * Borrows a connection and listens to its errors. A cut connection emits an error, which would end the process without
 * a listener. That error may come in the same packet as the server's readiness: then a promise would resolve too late,
 * so this uses the callback of `pg`.
 */
function connected(pool: PostgresPool): Promise<PostgresConnection> {
  return new Promise((resolve, reject) => {
    const listen = (connection: PostgresConnection) => {
      connection.on?.("error", ignore);
      resolve(connection);
    };
    const connect: (callback: Connected) => Promise<PostgresConnection> | undefined = pool.connect.bind(pool);
    // Some pools return a promise instead of calling back.
    connect((error, connection) => (error ? reject(error) : listen(connection)))?.then(listen, reject);
  });
}

type Connected = (error: Error | undefined, connection: PostgresConnection) => void;

function ignore(): void {}

/** A transaction that sees commits of others meanwhile, whatever the host's default is. */
export const readCommitted = raw("READ COMMITTED READ WRITE");

/** Runs `work` in a new transaction. */
export function transaction<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<Result>,
  mode: Sql = readCommitted,
): Promise<Result> {
  return borrowing(pool, (connection, cut) => inTransaction(connection, mode, () => work(connection), cut));
}

/** Runs `work` in a transaction of a connection, and cuts the connection if it is broken. */
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

/** How often conflicting work is tried. */
const mostAttempts = 8;

/** A serialization failure, and a deadlock. */
const isInTheWay = new Set(["40001", "40P01"]);

/**
 * Runs work again if it conflicts with other transactions, which undoes it. From the second time on, it runs `again`,
 * which may cost more but conflict less.
 */
export async function retried<Result>(work: () => Promise<Result>, again = work): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (attempt === 1 ? work() : again());
    } catch (error) {
      if (attempt === mostAttempts || !isInTheWay.has(codeOf(error) ?? "")) throw error;
      // A random pause, so that the same transactions do not conflict again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** attempt));
    }
  }
}

/** The SQLSTATE of an error of the server; undefined for any other error, such as EPIPE. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * Whether a statement failed because an expression of a map fails for a row. Other failures tell of locks, conflicts,
 * rights, definitions and the server. The schema has a function of the same name.
 */
export function isOfRow(error: unknown): boolean {
  return /^(?!08|25|28|3D|3F|40|42|53|55|57|58|IM|XX)/.test(codeOf(error) ?? "XX");
}

/**
 * Whether it makes sense to try another server: this one cannot be reached, has no connection left, starts or stops, or
 * conflicted too often.
 */
export function isForOthers(error: unknown): boolean {
  return /^(08|40|53|57P)/.test(codeOf(error) ?? "08");
}

/** Runs a statement in a transaction. It returns false, and changes nothing, if a row with the same key exists. */
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

/** Whether a statement failed because it tried to write a view. */
export function isView(error: unknown): boolean {
  return codeOf(error) === "55000";
}

/** Fails if an installed map reads tables that are not as they were. Call it before you read records beside the pages. */
export async function requireMapped(pool: PostgresPool, schema: Sql): Promise<void> {
  await run(pool, sql`SELECT ${schema}.require_mapped()`);
}

/**
 * Until the transaction ends, looks up names only in this schema, and makes statements fail if a policy hides rows from
 * them, since totals count all rows.
 */
export async function useSchema(connection: PostgresConnection, schema: Sql): Promise<void> {
  const path = `${schema.text}, pg_temp`;
  await run(connection, sql`SELECT set_config('search_path', ${path}, true), set_config('row_security', 'off', true)`);
}
