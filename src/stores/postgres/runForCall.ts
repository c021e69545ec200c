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
import { Sql, sql } from "./sql.js";

/** How long the server may take to stop a statement before its connection is cut, in milliseconds. */
const stoppingTime = 1000;

/** How long to wait before the server is told again, in milliseconds: the statement may not have reached it yet. */
const cancellationPause = 20;

/**
 * Runs a statement for a call that may be given up: the server is then told to stop it, by another connection of the
 * pool. Where none is free for that, its own is cut, which makes room for one.
 *
 * @param mode of a transaction around it, where it needs a certain one
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
    // The call may have waited for the connection until it was given up.
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
 * Stops the statement with a mark when its call is given up. What it gives is to be called when the statement is over: it
 * waits for a cancellation under way, which would otherwise hit the next statement of the same connection.
 */
function stopWith(signal: AbortSignal, pool: PostgresPool, mark: string, cut: () => void): () => Promise<void> {
  let isOver = false;
  let isCut = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelling: Promise<unknown> | undefined;
  const cancel = async (other: PostgresConnection) => {
    while (isCut || !isOver) {
      // The statement of a connection that is cut may go on at the server.
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

/** A statement that the server finds again, even where a pooler between us and the server hides on which connection. */
function withMark(mark: string, { texts: [first, ...others], values }: Sql): Sql {
  return new Sql([`${mark} ${first}`, ...others], values);
}

const cancellation = (mark: string) => sql`
  SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND starts_with(query, ${mark})`;
