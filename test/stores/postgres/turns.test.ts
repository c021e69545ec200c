import { expect, it } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { poolWith } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();

/** A store with two connections, one of them for heavy calls, and the order in which its calls end. */
async function opened() {
  await openMigrated(server.pool, {
    users: [{ userID: "u1", nickname: "Ann" }],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 20 }],
  });
  const store = createPostgresStore({ pool: poolWith(server.pool, { max: 2 }) });
  const order: string[] = [];
  const read = async (adminUserID: string, query = {}, signal?: AbortSignal) => {
    const page = { groupID: "g1", keyword: "", offset: 0, limit: 20, ...query };
    const found = await store.listGroupMembers(page, { adminUserID, signal });
    expect(found).toMatchObject({ total: 1, items: [{ userID: "u1" }] });
    order.push(adminUserID);
  };
  return { read, order };
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
  expect(order.indexOf("cid")).toBeLessThan(10);
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
