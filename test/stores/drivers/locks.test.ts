import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { type BundledStore, openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** A store whose file another connection is writing to, and the end of that write. */
function writtenElsewhere(): { path: string; commit(): void } {
  const path = `${temporaryFolder()}/im.db`;
  void openSqliteStore({ path }).close();
  const other = new BetterSqlite3(path);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE; INSERT INTO im_admin_users (user_id, app_manger_level) VALUES ('other', 3)");
  return { path, commit: () => void other.exec("COMMIT") };
}

function opened(path: string): BundledStore {
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}

const everything = { keyword: "", offset: 0, limit: 10 };

it("opens a file and answers lists while another process is writing to it", async () => {
  const { path } = writtenElsewhere();
  const store = opened(path);
  expect(await store.listNotificationAccounts(everything)).toEqual({ total: 0, items: [] });
});

it("lets a write wait for another process's, while lists are answered and timers run", async () => {
  const { path, commit } = writtenElsewhere();
  const store = opened(path);
  let hasWritten = false;
  const write = store.put({ users: [{ userID: "ours", appMangerLevel: 3 }] }).then(() => {
    hasWritten = true;
  });
  // Nothing tells that it waits: in this time, it would have been written.
  await setTimeout(100);
  expect(await store.listNotificationAccounts(everything)).toEqual({ total: 0, items: [] });
  expect(hasWritten).toBe(false);
  commit();
  await write;
  const { items } = await store.listNotificationAccounts(everything);
  expect(items.map(({ userID }) => userID)).toEqual(["other", "ours"]);
});

it("runs writes in their order, also from two stores on one file", async () => {
  const { path, commit } = writtenElsewhere();
  const stores = [opened(path), opened(path)];
  const order: number[] = [];
  const puts = Array.from({ length: 40 }, async (_, index) => {
    await stores[index % 2]?.put({ users: [{ userID: `u${index}` }] });
    order.push(index);
  });
  await setTimeout(100);
  expect(order).toStrictEqual([]);
  commit();
  await Promise.all(puts);
  expect(order).toStrictEqual(Array.from({ length: 40 }, (_, index) => index));
});

it("goes on with the next write where one has failed", async () => {
  const { path, commit } = writtenElsewhere();
  const store = opened(path);
  const puts = Promise.allSettled([
    store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] }),
    store.put({ users: [{ userID: "u2", appMangerLevel: "high" as never }] }),
    store.put({ users: [{ userID: "u3", appMangerLevel: 3 }] }),
  ]);
  commit();
  expect((await puts).map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await store.listNotificationAccounts(everything)).total).toBe(3);
});

it("gives each write a time of its own to wait for another process", async () => {
  const { path, commit } = writtenElsewhere();
  const store = opened(path);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const first = store.put({ users: [{ userID: "u1" }] });
  const second = store.put({ users: [{ userID: "u2", appMangerLevel: 3 }] });
  // The first one waits by now.
  await setTimeout(10);
  clock.mockImplementation(() => now() + 10_000);
  await expect(first).rejects.toThrow("database is locked");
  commit();
  await second;
  expect((await store.listNotificationAccounts(everything)).total).toBe(2);
});

it("finishes the writes that were asked for before it is closed", async () => {
  const { path, commit } = writtenElsewhere();
  const store = openSqliteStore({ path });
  const puts = ["u1", "u2", "u3"].map((userID) => store.put({ users: [{ userID, appMangerLevel: 3 }] }));
  const closed = Promise.all([store.close(), store.close()]);
  await setTimeout(50);
  commit();
  await Promise.all(puts);
  await closed;
  await expect(store.put({ users: [{ userID: "u4" }] })).rejects.toThrow("The database connection is not open");
  expect((await opened(path).listNotificationAccounts(everything)).total).toBe(4);
});

it("lets a host write all tables whose connection trusts no schema", () => {
  const path = `${temporaryFolder()}/im.db`;
  opened(path);
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.pragma("trusted_schema = OFF");
  host.exec(`
    INSERT INTO im_admin_users (user_id, nickname, app_manger_level) VALUES ('u1', 'Ann', 3), ('u2', 'Bob', 0);
    INSERT INTO im_admin_groups (group_id, creator_user_id) VALUES ('g1', 'u1');
    INSERT INTO im_admin_group_members (group_id, user_id, role_level, nickname) VALUES ('g1', 'u1', 100, 'Annie'), ('g1', 'u2', 20, '');
    WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
      INSERT INTO im_admin_group_members (group_id, user_id, nickname) SELECT 'g1', 'm' || number, '哈' || number FROM numbers;
    INSERT INTO im_admin_blacks (owner_user_id, black_user_id) VALUES ('u1', 'u2');
    INSERT INTO im_admin_group_requests (group_id, user_id) VALUES ('g1', 'u3');
    INSERT INTO im_admin_conversations (owner_user_id, conversation_id) VALUES ('u1', 'c1');
    UPDATE im_admin_users SET nickname = 'Anna' WHERE user_id = 'u1';
    UPDATE im_admin_group_members SET nickname = 'Bobby', role_level = 60 WHERE user_id = 'u2';
    DELETE FROM im_admin_group_members;
    DELETE FROM im_admin_users;
    DELETE FROM im_admin_groups;
    DELETE FROM im_admin_blacks;
    DELETE FROM im_admin_group_requests;
    DELETE FROM im_admin_conversations`);
});
