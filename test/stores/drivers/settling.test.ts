/** What other programs write is in the lists at the next call, whatever stands in the way of settling it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore, type SqliteStoreOptions } from "../../../src/stores/drivers/sqlite.js";
import { isDeep } from "../../helpers/chance.js";
import { temporaryFolder } from "../../helpers/stores.js";

function openHost(options: Omit<SqliteStoreOptions, "path"> = {}) {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path, ...options });
  const host = new BetterSqlite3(path);
  onTestFinished(async () => {
    host.close();
    await store.close();
  });
  host.exec("INSERT INTO im_admin_groups (group_id) VALUES ('g'), ('h')");
  return { path, host, store };
}

/** Lets members join whose numbers are in a range, the later ones first in the list. */
const newcomers = (from: number, to: number) => `
  INSERT INTO im_admin_group_members (group_id, user_id, role_level)
    WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
    SELECT 'g', printf('u%06d', i), i % 100 FROM n`;

const waiting = (host: BetterSqlite3.Database) =>
  Number(host.prepare("SELECT count(*) FROM im_admin_changed").pluck().get());

type Store = ReturnType<typeof openSqliteStore>;

const page = async (store: Store, keyword = "", offset = 0) => {
  const found = await store.listGroupMembers({ groupID: "g", keyword, offset, limit: 1 });
  return [found?.total, found?.items[0]?.userID];
};

it("answers what was committed while another program has the lock, and settles it afterwards", async () => {
  const { host, store } = openHost();
  host.exec(newcomers(0, 2_499));
  host.exec("BEGIN IMMEDIATE; INSERT INTO im_admin_groups (group_id) VALUES ('mine')");
  expect(await page(store)).toEqual([2_500, "u000099"]);
  expect(await page(store, "u00009", 3)).toEqual([10, "u000096"]);
  expect(await store.listJoinedGroups({ userID: "u000001", offset: 0, limit: 1 })).toBeUndefined();
  expect(waiting(host)).toBe(2_500);
  host.exec("COMMIT");
  expect(await page(store)).toEqual([2_500, "u000099"]);
  await expect.poll(() => waiting(host)).toBe(0);
  expect(await page(store, "u00009", 3)).toEqual([10, "u000096"]);
});

it("waits for those who read when it commits to a host's file without WAL", async () => {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  host.exec("CREATE TABLE host (id TEXT); INSERT INTO host VALUES ('kept')");
  const store = openSqliteStore({ path, adopt: true });
  const reader = fork(new URL("../../children/sqliteHoldRead.mjs", import.meta.url), [path, "300"]);
  onTestFinished(async () => {
    reader.kill();
    host.close();
    await store.close();
  });
  await once(reader, "message");
  await store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
  expect(host.pragma("journal_mode", { simple: true })).toBe("delete");
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({ total: 1 });
});

it("answers what waits if it may only read", async () => {
  const { path, host } = openHost();
  const reader = openSqliteStore({ path, readonly: true });
  onTestFinished(() => reader.close());
  host.exec(`
    INSERT INTO im_admin_users (user_id, nickname, app_manger_level) VALUES ('u000050', 'Ann', 4), ('news', 'News', 3);
    INSERT INTO im_admin_blacks (owner_user_id, black_user_id) VALUES ('u000050', 'news');
    INSERT INTO im_admin_group_requests (group_id, user_id, handle_result) VALUES ('g', 'a', 0), ('g', 'b', 1), ('h', 'c', 0);
    INSERT INTO im_admin_group_members (group_id, user_id, role_level) VALUES ('h', 'u000050', 20);
    ${newcomers(0, 99)}; UPDATE im_admin_group_members SET role_level = 100 WHERE user_id = 'u000050' AND group_id = 'g'`);
  const range = { offset: 0, limit: 9 };
  expect(await page(reader)).toEqual([100, "u000050"]);
  expect(await page(reader, "an")).toEqual([1, "u000050"]);
  const owners = await reader.listGroupMembers({ ...range, groupID: "g", keyword: "", roleLevels: [100, 99] });
  expect(owners?.items.map(({ userID, nickname }) => [userID, nickname])).toEqual([
    ["u000050", "Ann"],
    ["u000099", ""],
  ]);
  const joined = await reader.listJoinedGroups({ ...range, userID: "u000050" });
  expect(joined?.items.map(({ groupID, memberCount, ownerUserID }) => [groupID, memberCount, ownerUserID])).toEqual([
    ["g", 100, "u000050"],
    ["h", 1, ""],
  ]);
  const blacks = await reader.listBlacks({ ...range, ownerUserID: "u000050" });
  expect(blacks?.items.map(({ blackUserInfo }) => blackUserInfo.nickname)).toEqual(["News"]);
  const requests = await reader.listReceivedGroupRequests({ ...range, userID: "u000050", handleResults: [0] });
  expect(requests?.items.map(({ userInfo }) => userInfo.userID)).toEqual(["a"]);
  const some = await reader.listReceivedGroupRequests({ ...range, userID: "u000050", groupIDs: ["g", "h"] });
  expect(some?.total).toBe(2);
  const accounts = await reader.listNotificationAccounts({ ...range, keyword: "" });
  expect(accounts.items.map(({ userID }) => userID)).toEqual(["news", "u000050"]);
  expect(await reader.listNotificationAccounts({ ...range, keyword: "n", appMangerLevel: 4 })).toMatchObject({
    total: 1,
  });
});

it("forgets keys that no trigger has noted", async () => {
  const { host, store } = openHost({ threads: 0 });
  host.exec(`INSERT INTO im_admin_changed (kind, first, second) VALUES ('', 'a', ''), ('groups', 'g', ''), ('a,b "c', '', ''),
    ('groupMembers nothing', 'g', ''), ('groupMembers', 'nobody', 'here'), ('users', '', ''), ('a b c', 'd', 'e')`);
  expect(await store.listGroupMembers({ groupID: "g", keyword: "", offset: 0, limit: 1 })).toEqual({
    total: 0,
    items: [],
  });
  expect(waiting(host)).toBe(0);
});

it("settles in the background what a program has written", async () => {
  const { host } = openHost();
  host.exec(newcomers(0, 299));
  await expect.poll(() => waiting(host)).toBe(0);
});

it.each([0, 1])("answers each moment of a host that never stops writing, with %i threads", async (threads) => {
  const { host, store } = openHost({ threads });
  const insert = host.prepare("INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g', ?)");
  let count = 0;
  const timer = setInterval(() => {
    for (let index = 0; index < 5; index += 1) insert.run(`u${count++}`);
  }, 0);
  onTestFinished(() => clearInterval(timer));
  for (let read = 0; read < 60; read += 1) {
    const before = count;
    const [total] = await page(store, read % 2 === 0 ? "" : "u");
    expect(total).toBeGreaterThanOrEqual(before);
    expect(total).toBeLessThanOrEqual(count);
    await delay(0);
  }
});

it.each(isDeep ? [0, 1] : [1])("answers exactly while many changes are settled, with %i threads", async (threads) => {
  const { host, store } = openHost({ threads });
  const many = isDeep ? 45_000 : 9_000;
  const last = isDeep ? "u044900" : "u008900";
  host.exec(newcomers(0, many - 1));
  for (let read = 0; read < 4; read += 1) expect(await page(store, "", many - 1)).toEqual([many, last]);
  await expect.poll(() => waiting(host)).toBe(0);
  expect(await page(store, "", many - 1)).toEqual([many, last]);
  expect(await page(store, "u00000")).toEqual([10, "u000009"]);
});
