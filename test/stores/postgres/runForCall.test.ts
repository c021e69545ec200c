import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import type { PostgresPool } from "../../../src/stores/postgres/index.js";
import { runForCall } from "../../../src/stores/postgres/runForCall.js";
import { sql } from "../../../src/stores/postgres/sql.js";
import { postgresForFile } from "../../helpers/postgres/server.js";

const server = postgresForFile();

type Answer = Promise<{ rows: unknown[] }>;
/** Passes a statement on to the server. */
type Way = (send: () => Answer) => Answer;

/** The server's pool, with something on the way of the call's statement and of its cancellation to the server and back. */
function poolBy(way: { statement: Way; cancellation: Way }, onRelease = () => {}): PostgresPool {
  return {
    query: () => Promise.reject(new Error("calls borrow connections")),
    async connect() {
      const connection = await server.pool.connect();
      let ranStatement = false;
      return {
        query(text, values) {
          const isCancellation = text.includes("pg_cancel_backend");
          ranStatement ||= !isCancellation;
          return (isCancellation ? way.cancellation : way.statement)(() => connection.query(text, values));
        },
        on: connection.on.bind(connection),
        off: connection.off.bind(connection),
        release(isBroken) {
          connection.release(isBroken);
          if (ranStatement && isBroken !== true) onRelease();
        },
      };
    },
  };
}

/** A promise, and the function that resolves it. */
function awaited(): { come: () => void; whenCome: Promise<void> } {
  let come = () => {};
  const whenCome = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { come, whenCome };
}

it("keeps a connection at which a cancellation may still arrive", async () => {
  const caller = new AbortController();
  const [sent, arrived] = [awaited(), awaited()];
  const onRelease = vi.fn();
  const pool = poolBy(
    {
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
    },
    onRelease,
  );
  const rows = runForCall(pool, sql`SELECT 1 AS one`, { signal: caller.signal });
  await sent.whenCome;
  // Whatever is to come of the statement's answer comes in a few turns.
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(onRelease).not.toHaveBeenCalled();
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
  const running = () =>
    server.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'PgSleep'",
    );
  await expect.poll(async () => (await running()).rows.length).toBe(0);
});

it("stops a statement that is given up just before it begins", async () => {
  const caller = new AbortController();
  const call = { signal: caller.signal, begun: () => caller.abort("the caller has gone") };
  await expect(runForCall(server.pool, sql`SELECT pg_sleep(60)`, call)).rejects.toBe("the caller has gone");
});
