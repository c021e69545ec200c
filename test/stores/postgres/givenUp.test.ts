import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { getGroupMemberList, type Store, setConversations } from "../../../src/index.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const users = ["u1", "u2", "u3"].map((userID) => ({ userID }));
beforeEach(async () => {
  await openMigrated(server.pool, { users, groups: [{ groupID: "g1" }] });
});

/** A store with a pool of its own. */
function opened(max: number) {
  const pool = new pg.Pool({ ...server.pool.options, max });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  return { store: createPostgresStore({ pool }), pool };
}

/** Has whatever reads groups and writes conversations wait, until it is told to go on. */
async function holdTables(): Promise<() => Promise<void>> {
  const holder = await server.pool.connect();
  await holder.query("BEGIN; LOCK TABLE im_admin.groups, im_admin.conversations");
  return async () => {
    await holder.query("ROLLBACK");
    holder.release();
  };
}

/** How many statements wait at the server. */
async function waiting(): Promise<number> {
  const { rows } = await server.pool.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

const read = (store: Store, signal: AbortSignal, causes: unknown[]) =>
  getGroupMemberList(
    store,
    { groupID: "g1", pagination: { pageNumber: 1, showNumber: 1 } },
    { signal, observer: { onError: ({ error }) => causes.push(error) } },
  );
const write = (store: Store, signal: AbortSignal, causes: unknown[]) =>
  setConversations(
    store,
    {
      userIDs: ["u1", "u2"],
      conversation: { conversationID: "c1", conversationType: 1, userID: "u3", isPinned: true },
    },
    { signal, observer: { onError: ({ error }) => causes.push(error) } },
  );

it.each([
  ["a read", read],
  ["a write", write],
])("has the server stop %s that is given up", async (_, call) => {
  const { store } = opened(2);
  const goOn = await holdTables();
  const caller = new AbortController();
  const causes: unknown[] = [];
  const answer = call(store, caller.signal, causes);
  await expect.poll(waiting).toBe(1);
  caller.abort("the caller has gone");
  expect((await answer).errCode).toBe(500);
  expect(causes).toEqual(["the caller has gone"]);
  await expect.poll(waiting).toBe(0);
  await goOn();
  const next = [
    await read(store, new AbortController().signal, []),
    await write(store, new AbortController().signal, []),
  ];
  expect(next.map(({ errCode }) => errCode)).toEqual([0, 0]);
});

it.each([
  ["reads", read],
  ["writes", write],
])("stops %s that hold all connections of the pool", async (_, call) => {
  const { store } = opened(2);
  const goOn = await holdTables();
  const caller = new AbortController();
  const answers = Array.from({ length: 6 }, () => call(store, caller.signal, []));
  await expect.poll(waiting).toBe(2);
  caller.abort("the caller has gone");
  expect((await Promise.all(answers)).map(({ errCode }) => errCode)).toEqual(Array(6).fill(500));
  await expect.poll(waiting).toBe(0);
  await goOn();
  expect((await call(store, new AbortController().signal, [])).errCode).toBe(0);
});

it("changes nothing for a call that is given up while it waits for a connection", async () => {
  const { store, pool } = opened(1);
  const held = await pool.connect();
  const caller = new AbortController();
  const causes: unknown[] = [];
  const answer = write(store, caller.signal, causes);
  caller.abort("the caller has gone");
  expect((await answer).errCode).toBe(500);
  held.release();
  expect((await write(store, AbortSignal.abort("already gone"), causes)).errCode).toBe(500);
  expect(causes).toEqual(["the caller has gone", "already gone"]);
  expect(await store.conversations("u1")).toEqual([]);
});

it("tells of a write what has become of it, whenever it is given up", async () => {
  const { store } = opened(4);
  for (let round = 0; round < 60; round += 1) {
    const conversation = { conversationID: `c${round}`, conversationType: 1, userID: "u3", isPinned: true } as const;
    const caller = new AbortController();
    const answer = setConversations(
      store,
      { userIDs: ["u1"], conversation },
      { signal: caller.signal, observer: { onError() {} } },
    );
    // About as long as such a call takes, and less.
    setTimeout(() => caller.abort(), (round % 6) / 2);
    const { errCode } = await answer;
    const stored = (await store.conversations("u1")).some(({ conversationID }) => conversationID === `c${round}`);
    expect(stored ? 0 : 500).toBe(errCode);
  }
});

it("ends a request that waits longer than a call may take", async () => {
  const { store } = opened(1);
  const goOn = await holdTables();
  const handler = createFetchHandler({
    store,
    authenticate: () => ({ adminUserID: "a" }),
    callTimeoutMs: 50,
    observer: { onError() {} },
  });
  const request = () =>
    new Request("http://localhost/group/get_group_member_list", {
      method: "POST",
      headers: { operationID: "op", token: "t" },
      body: '{"groupID":"g1","pagination":{"pageNumber":1,"showNumber":1}}',
    });
  expect(await (await handler(request())).json()).toMatchObject({ errCode: 500 });
  await expect.poll(waiting).toBe(0);
  await goOn();
  await expect.poll(async () => (await (await handler(request())).json()).errCode).toBe(0);
});
