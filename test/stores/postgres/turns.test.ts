import { expect, it } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect, lockWaits, poolWith } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();

/** A store with some connections, half of them for heavy calls, and the order in which its calls end. */
async function opened(max = 2) {
  await openMigrated(server.pool, {
    users: [{ userID: "u1", nickname: "Ann" }],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 20 }],
  });
  const pool = poolWith(server.pool, { max });
  const store = createPostgresStore({ pool });
  const order: string[] = [];
  const read = async (adminUserID: string, query = {}, signal?: AbortSignal) => {
    const page = { groupID: "g1", keyword: "", offset: 0, limit: 20, ...query };
    const found = await store.listGroupMembers(page, { adminUserID, signal });
    expect(found).toMatchObject({ total: 1, items: [{ userID: "u1" }] });
    order.push(adminUserID);
  };
  const write = async (adminUserID: string, conversationID: string, signal?: AbortSignal) => {
    const conversation = { conversationID, conversationType: 3, userID: "", groupID: "g1", fields: { isPinned: true } };
    const done = await store.setConversations({ ...conversation, userIDs: ["u1"] } as never, { adminUserID, signal });
    expect(done).toEqual({ outcome: "done", changedUserIDs: ["u1"] });
    order.push(adminUserID);
  };
  return { read, write, order, inUse: () => pool.totalCount - pool.idleCount };
}

it("searches of one administrator hold up neither the long page of another nor a light one", async () => {
  const { read, order } = await opened();
  // Both connections are open before, since to open one takes longer than some searches.
  await Promise.all([read("dan"), read("eve")]);
  order.length = 0;
  const searches = Array.from({ length: 60 }, () => read("ann", { keyword: "nn" }));
  await Promise.all([...searches, read("bob", { limit: 1_000 }), read("cid")]);
  expect(order.filter((caller) => caller === "ann")).toHaveLength(60);
  expect(order.indexOf("bob")).toBeLessThan(5);
  // It has a connection of its own, which the server may serve more slowly than the other.
  expect(order.indexOf("cid")).toBeLessThan(50);
});

it("one administrator's searches take two connections at once, and those of others the rest", async () => {
  const { read, inUse } = await opened(10);
  const holder = await connect(server.pool);
  await holder.query("BEGIN; LOCK TABLE im_admin.group_members");
  const searches = Array.from({ length: 20 }, () => read("ann", { keyword: "nn" }));
  await expect.poll(() => lockWaits(server.pool)).toBe(2);
  const others = [read("bob", { keyword: "nn" }), read("bob", { keyword: "nn" }), read("cid", { keyword: "nn" })];
  await expect.poll(() => lockWaits(server.pool)).toBe(5);
  expect(inUse()).toBe(5);
  await holder.query("ROLLBACK");
  await Promise.all([...searches, ...others]);
});

it("a search that is given up leaves its line, and those behind it go on", async () => {
  const { read, order } = await opened();
  const { signal } = new AbortController();
  const caller = new AbortController();
  const first = read("ann", { keyword: "nn" }, signal);
  const given = read("ann", { keyword: "nn" }, caller.signal);
  const last = read("bob", { keyword: "nn" });
  caller.abort(new Error("no longer needed"));
  await expect(given).rejects.toThrow("no longer needed");
  await expect(read("ann", { keyword: "nn" }, caller.signal)).rejects.toThrow("no longer needed");
  await Promise.all([first, last, read("ann", { keyword: "nn" })]);
  expect(order).toEqual(["ann", "bob", "ann"]);
});

it("writes that wait for a locked table leave connections to light reads and to searches", async () => {
  const { read, write, order, inUse } = await opened(4);
  const holder = await connect(server.pool);
  await holder.query("BEGIN; LOCK TABLE im_admin.conversations");
  const caller = new AbortController();
  const given = write("ann", "given up", caller.signal);
  const writes = Array.from({ length: 30 }, (_, number) => write("ann", `c${number}`));
  await expect.poll(() => lockWaits(server.pool)).toBe(1);
  expect(inUse()).toBe(1);
  await Promise.all([...Array.from({ length: 10 }, () => read("bob")), read("cid", { keyword: "nn" })]);
  expect([inUse(), await lockWaits(server.pool)]).toEqual([1, 1]);
  const other = write("dan", "d");
  order.length = 0;
  await holder.query("ROLLBACK");
  await Promise.all([given, ...writes, other]);
  // Ann's first write was under way, and Dan has the next turn but one.
  expect(order.indexOf("dan")).toBeLessThan(3);
});

it("writes of one administrator wait in a line that a call leaves when it is given up", async () => {
  const { write, order } = await opened();
  const holder = await connect(server.pool);
  await holder.query("BEGIN; LOCK TABLE im_admin.conversations");
  const caller = new AbortController();
  const first = write("ann", "c1", new AbortController().signal);
  await expect.poll(() => lockWaits(server.pool)).toBe(1);
  const given = write("ann", "c2", caller.signal);
  const last = write("ann", "c3");
  caller.abort(new Error("no longer needed"));
  await expect(given).rejects.toThrow("no longer needed");
  await holder.query("ROLLBACK");
  await Promise.all([first, last]);
  expect(order).toEqual(["ann", "ann"]);
});
