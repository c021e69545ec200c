import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PostgresPool } from "../../../src/stores/postgres/index.js";
import { runForCall } from "../../../src/stores/postgres/runForCall.js";
import { sql } from "../../../src/stores/postgres/sql.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

type Query = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

interface Way {
  /** Passes a statement on to the server, or a cancellation of one. */
  statement(send: () => ReturnType<Query>): ReturnType<Query>;
  cancellation(send: () => ReturnType<Query>): ReturnType<Query>;
  /** Whoever ran a statement gives its connection back whole. */
  onRelease?(): void;
}

/** The server's pool, with something on the way to the server and back. */
function poolBy({ statement, cancellation, onRelease }: Way): PostgresPool {
  const by =
    (query: Query): Query =>
    (text, values) =>
      (text.includes("pg_cancel_backend") ? cancellation : statement)(() => query(text, values));
  return {
    query: by((text, values) => server.pool.query(text, values)),
    async connect() {
      const connection = await server.pool.connect();
      let ranStatement = false;
      return {
        query(text, values) {
          ranStatement ||= !text.includes("pg_cancel_backend");
          return by((...given) => connection.query(...given))(text, values);
        },
        on: connection.on.bind(connection),
        off: connection.off.bind(connection),
        release(isBroken) {
          connection.release(isBroken);
          if (ranStatement && isBroken !== true) onRelease?.();
        },
      };
    },
  };
}

/** Something that is waited for, until somebody says that it has come. */
function awaited(): { come: () => void; whenCome: Promise<void> } {
  let come = () => {};
  const whenCome = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { come, whenCome };
}

it("keeps a connection at which a cancellation may still arrive", async () => {
  const caller = new AbortController();
  const sent = awaited();
  const arrived = awaited();
  let isReleased = false;
  const pool = poolBy({
    async statement(send) {
      const answer = await send();
      caller.abort("the caller has gone");
      await sent.whenCome;
      return answer;
    },
    async cancellation(send) {
      sent.come();
      await arrived.whenCome;
      return send();
    },
    onRelease() {
      isReleased = true;
    },
  });
  const rows = runForCall(pool, sql`SELECT 1 AS one`, { signal: caller.signal });
  await sent.whenCome;
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(isReleased).toBe(false);
  arrived.come();
  expect(await rows).toEqual([{ one: 1 }]);
});

it("stops a statement that reaches the server after a cancellation has looked for it", async () => {
  const caller = new AbortController();
  const answered = awaited();
  const pool = poolBy({
    async statement(send) {
      caller.abort("the caller has gone");
      await answered.whenCome;
      return send();
    },
    async cancellation(send) {
      const answer = await send();
      answered.come();
      return answer;
    },
  });
  const work = runForCall(pool, sql`SELECT pg_sleep(60)`, { signal: caller.signal });
  await expect(work).rejects.toBe("the caller has gone");
  const running = async () => {
    const { rows } = await server.pool.query(
      "SELECT FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep'",
    );
    return rows.length;
  };
  await expect.poll(running, { timeout: 15_000 }).toBe(0);
});

it("stops a statement that is given up just before it begins", async () => {
  const caller = new AbortController();
  const call = { signal: caller.signal, begun: () => caller.abort("the caller has gone") };
  await expect(runForCall(server.pool, sql`SELECT pg_sleep(60)`, call)).rejects.toBe("the caller has gone");
});
