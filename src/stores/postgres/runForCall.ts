import type { StoreCall } from "../../store.js";
import {
  borrowing,
  inTransaction,
  type PostgresConnection,
  type PostgresPool,
  type Row,
  run,
  transaction,
} from "./database.js";
import { raw, type Sql, sql } from "./sql.js";

/** How long the server may take to stop a statement before its connection is cut, in milliseconds. */
const stoppingTime = 1000;

/** How long to wait before cancelling again, in milliseconds: the statement may not have reached the server yet. */
const cancellationPause = 20;

/**
 * Runs a statement for a call that may be given up. Another connection of the pool then tells the server to stop the
 * statement. If none is free, this cuts the statement's own connection, which makes room for one.
 *
 * @param mode the mode of a transaction around the statement, if it needs one
 */
export async function runForCall(pool: PostgresPool, statement: Sql, call: StoreCall = {}, mode?: Sql): Promise<Row[]> {
  const { signal } = call;
  if (signal === undefined) {
    return mode === undefined
      ? run(pool, statement)
      : transaction(pool, (connection) => run(connection, statement), mode);
  }
  signal.throwIfAborted();
  const work = borrowing(pool, async (connection, cut) => {
    // The call may have been given up while it waited for the connection.
    if (signal.aborted) return undefined;
    const mark = `/* im-admin ${crypto.randomUUID()} */`;
    const marked = () => run(connection, withMark(mark, statement));
    const stopped = stopWith(signal, pool, mark, cut);
    try {
      call.begun?.();
      return await (mode === undefined ? marked() : inTransaction(connection, mode, marked, cut));
    } finally {
      await stopped();
    }
  });
  const rows = await work.catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
  if (rows === undefined) throw signal.reason;
  return rows;
}

/**
 * Stops the statement with this mark when its call is given up. Call the returned function when the statement is over:
 * it waits for a running cancellation, which could otherwise hit the next statement of the connection.
 */
function stopWith(signal: AbortSignal, pool: PostgresPool, mark: string, cut: () => void): () => Promise<void> {
  let isOver = false;
  let isCut = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelling: Promise<unknown> | undefined;
  const cancel = async (other: PostgresConnection) => {
    while (isCut || !isOver) {
      // After its connection is cut, a statement may still run at the server.
      const isLast = isCut;
      const sent = run(other, cancellation(mark));
      cancelling = sent.catch(() => {});
      await sent;
      if (isLast) return;
      await new Promise((resolve) => setTimeout(resolve, cancellationPause));
    }
  };
  let whenCut: Promise<void> | undefined;
  const stop = () => {
    whenCut = new Promise((resolve) => {
      timer = setTimeout(() => {
        isCut = true;
        cut();
        resolve();
      }, stoppingTime);
    });
    borrowing(pool, cancel).catch(() => {});
  };
  signal.addEventListener("abort", stop);
  return async () => {
    isOver = true;
    signal.removeEventListener("abort", stop);
    if (!isCut && cancelling !== undefined) await Promise.race([cancelling, whenCut]);
    clearTimeout(timer);
  };
}

/** A statement with a mark, by which the server finds it, also if a pooler hides its connection. */
function withMark(mark: string, statement: Sql): Sql {
  return sql`${raw(mark)} ${statement}`;
}

const cancellation = (mark: string) => sql`
  SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND starts_with(query, ${mark})`;
