import { beforeEach, expect, it } from "vitest";
import { createFetchHandler } from "../../../../adapters/fetch.js";
import { getGroupMemberList, type Store, setConversations } from "../../../../src/index.js";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { rounds } from "../../../helpers/chance.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { lockWaits, poolWith } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
const users = ["u1", "u2", "u3"].map((userID) => ({ userID }));
beforeEach(() => openMigrated(server.pool, { users, groups: [{ groupID: "g1" }] }));

/** A store with a pool of its own. */
function opened(max: number) {
  const pool = poolWith(server.pool, { max });
  return { store: createPostgresStore({ pool }), pool };
}

/** Lets all statements that read groups or write conversations wait until the returned function is called. */
async function holdTables(): Promise<() => Promise<void>> {
  const holder = await server.pool.connect();
  await holder.query("BEGIN; LOCK TABLE im_admin.groups, im_admin.conversations");
  return async () => {
    await holder.query("ROLLBACK");
    holder.release();
  };
}

const waiting = () => lockWaits(server.pool);

type Call = (store: Store, signal?: AbortSignal, causes?: unknown[]) => Promise<{ errCode: number }>;
const optionsOf = (signal = new AbortController().signal, causes: unknown[] = []) => ({
  signal,
  observer: { onError: ({ error }: { error: unknown }) => causes.push(error) },
});
const read: Call = (store, ...given) =>
  getGroupMemberList(store, { groupID: "g1", pagination: { pageNumber: 1, showNumber: 1 } }, optionsOf(...given));
const conversation = { conversationID: "c1", conversationType: 1, userID: "u3", isPinned: true } as const;
const write: Call = (store, ...given) =>
  setConversations(store, { userIDs: ["u1", "u2"], conversation }, optionsOf(...given));

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
  expect([(await read(store)).errCode, (await write(store)).errCode]).toEqual([0, 0]);
});

it("stops reads and writes that hold all connections of their pools", async () => {
  const goOn = await holdTables();
  const caller = new AbortController();
  const stores = [read, write].map((call) => ({ call, store: opened(2).store }));
  const answers = stores.flatMap(({ call, store }) => Array.from({ length: 6 }, () => call(store, caller.signal)));
  // Both reads, and the one write whose turn it is.
  await expect.poll(waiting).toBe(3);
  caller.abort("the caller has gone");
  expect((await Promise.all(answers)).map(({ errCode }) => errCode)).toEqual(Array(12).fill(500));
  await expect.poll(waiting).toBe(0);
  await goOn();
  for (const { call, store } of stores) expect((await call(store)).errCode).toBe(0);
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
  for (let round = 0; round < rounds(1000); round += 1) {
    const caller = new AbortController();
    const change = { userIDs: ["u1"], conversation: { ...conversation, conversationID: `c${round}` } };
    const answer = setConversations(store, change, optionsOf(caller.signal));
    // About as long as such a call takes, and less.
    setTimeout(() => caller.abort(), (round % 6) / 2);
    const { errCode } = await answer;
    const stored = (await store.conversations("u1")).some(({ conversationID }) => conversationID === `c${round}`);
    expect(stored ? 0 : 500).toBe(errCode);
  }
});

it("ends a request that waits longer than a call may take", async () => {
  const { store } = opened(2);
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
