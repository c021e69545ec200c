/** Settings as large as they may be. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { openHistoryFile } from "../../../../adapters/node.js";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { rounds } from "../../../helpers/chance.js";
import { cli } from "../../../helpers/cliProcess.js";
import { clientOf, desktop, settingOf } from "../../../helpers/history.js";
import { recorder } from "../../../helpers/http/hosts.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { fileEngines, memoryStore, temporaryFolder } from "../../../helpers/stores.js";

const server = postgresForFile(migratePostgres);

const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
/** As many as one request may set; fewer in short runs. */
const most = Math.max(2_000, rounds(10_000));
const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1" };

const stores = {
  ...Object.fromEntries(
    Object.entries(fileEngines).map(([name, open]) => [name, () => open({ path: `${temporaryFolder()}/im.db` })]),
  ),
  PostgreSQL: () => createPostgresStore({ pool: server.pool }),
};

it.each(Object.entries(stores))("sets back users who all had different texts, in %s", async (_, open) => {
  const store = open();
  const userIDs = users(most);
  const { path, call, set, list, read, setBack } = await desktop(store, userIDs);
  await store.put({
    conversations: userIDs.map((ownerUserID) => ({ ownerUserID, ...conversation, ex: `of ${ownerUserID}` })),
  });
  const counted = await call("/im_admin/count_conversation_values", settingOf(userIDs, { ex: "all" }));
  expect(counted.data.changing).toBe(most);
  expect(counted.data.values).toHaveLength(5);
  expect(await set(userIDs, { ex: "all" })).toMatchObject({ errCode: 0 });
  const [{ settingID, changed }] = (await list()).settings;
  expect(changed).toBe(most);
  const { data } = await read(settingID);
  expect(data.changed).toHaveLength(most);
  expect(data.changed).toContainEqual({ before: { ex: "of u1999" }, userIDs: ["u1999"] });
  // Another call changes some of them meanwhile.
  const [answer] = await Promise.all([
    setBack(settingID, 0, "back"),
    set(userIDs.slice(-500), { ex: "later" }, "later"),
  ]);
  const { changed: back, leftAlone, gone } = answer.data;
  expect([back + leftAlone, gone]).toEqual([most, 0]);
  expect(back).toBeGreaterThanOrEqual(most - 500);
  for (const userID of ["u0", "u1000", "u1499"]) {
    expect((await store.conversations(userID))[0]?.ex).toBe(`of ${userID}`);
  }
  expect((await store.conversations(`u${most - 1}`))[0]?.ex).toBe("later");
  const { settings } = await list();
  expect(settings[0].operationID === "back" ? settings[0] : settings[1]).toMatchObject({
    requests: most,
    users: most,
  });
  const again = await openHistoryFile(path);
  expect((await again.list({ offset: 0, limit: 9 })).items).toEqual(settings);
  await store.close();
});

it.each(Object.entries(stores))(
  "sets nobody if what was there before is too long to be kept, in %s",
  async (_, open) => {
    const store = open();
    const userIDs = users(1_100);
    const { path, history, list } = await desktop(store, userIDs);
    const ex = "长".repeat(65_536);
    const { observer, errors } = recorder();
    const call = clientOf({ store, history, observer, callTimeoutMs: false });
    // As much as one request may write, and the rest.
    for (const some of [
      userIDs.slice(0, 340),
      userIDs.slice(340, 680),
      userIDs.slice(680, 1_020),
      userIDs.slice(1_020),
    ]) {
      expect(await call("/conversation/set_conversations", settingOf(some, { ex }))).toMatchObject({ errCode: 0 });
    }
    const bytes = () => statSync(path).size + statSync(`${path}-wal`).size;
    const size = bytes();
    const setting = settingOf(userIDs, { ex: "" });
    expect(await call("/conversation/set_conversations", setting, "op-2")).toMatchObject({ errCode: 500 });
    expect(errors.map(({ error }) => String(error))).toEqual([
      expect.stringMatching(/what was there before takes more than 67108864 characters: set fewer users at once$/),
    ]);
    expect((await store.conversations("u0"))[0]?.ex).toBe(ex);
    expect(bytes() - size).toBeLessThan(1_000_000);
    expect((await list()).settings[0]).toMatchObject({ outcome: "unknown", changed: 0 });
    expect(
      await call("/conversation/set_conversations", settingOf(userIDs.slice(0, 1_000), { ex: "" }), "op-3"),
    ).toMatchObject({
      errCode: 0,
    });
    expect((await list()).settings[0]).toMatchObject({ outcome: "done", changed: 1_000 });
    await store.close();
  },
);

const begun = {
  entry: "begun",
  time: 1,
  adminUserID: "desk",
  operationID: "",
  conversationID: "c",
  conversationType: 3,
  userID: "",
  groupID: "g1",
  fields: { ex: "x" },
  userIDs: ["u1"],
} as const;

it("counts up to 100,000 settings, and has the others behind a time", async () => {
  const { history, list } = await desktop(memoryStore(), ["u1"]);
  for (let block = 0; block <= 100; block += 1) {
    const count = block === 100 ? 1 : 1_000;
    const ids = Array.from({ length: count }, (_, index) => `${block}-${index}`);
    await history.append(ids.map((requestID) => ({ ...begun, requestID, time: block })));
    if (block === 99) expect(await list(1, 1)).toMatchObject({ total: 100_000, settings: [{ settingID: "99-999" }] });
    if (block === 99) expect(await list(1, 1)).not.toHaveProperty("isMore");
  }
  const more = { total: 100_000, isMore: true };
  expect(await list(100_000, 1)).toMatchObject({ ...more, settings: [{ settingID: "0-1" }] });
  expect(await list(1_000, 101)).toEqual({ ...more, settings: [] });
  const { settings } = await list(991, 101);
  expect([settings.length, settings.at(-1).settingID]).toEqual([10, "0-1"]);
  expect(await list(1, 2, { until: 1, userID: "u1" })).toMatchObject({ total: 1_000 });
  expect(await list(1, 2, { userID: "u1" })).toMatchObject(more);
});

it("has little of settings with long texts in memory and in an answer", async () => {
  const { path, history, call } = await desktop(memoryStore(), ["u1"]);
  const count = Math.max(1_000, rounds(3_000));
  const ex = "长".repeat(65_536);
  for (let index = 0; index < count; index += 1) {
    const requestID = `r${index}`;
    const before = [{ fields: { ex }, userIDs: ["u1"] }];
    await history.append([
      { ...begun, requestID, fields: { ex } },
      { entry: "ended", requestID, time: 1, outcome: "done", errCode: 0, changed: 1, before },
    ]);
  }
  const { data } = await call("/im_admin/list_settings", { pagination: { pageNumber: 1, showNumber: 1_000 } });
  expect(data.total).toBe(count);
  expect(data.settings[999]).toMatchObject({ cut: ["ex"], fields: { ex: "长".repeat(256) } });
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(2_000_000);
  // All that was kept goes through a process that has room for a hundredth of it.
  const flags = ["--max-old-space-size=24", cli, "history", "--history", path, "--format", "ndjson"];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  let [lines, bytes] = [0, 0];
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect([status, lines, bytes > count * 2 * 3 * 65_536]).toEqual([0, 2 * count, true]);
});

it("sets nothing while another program locks the file for more than 10 seconds", async () => {
  const store = memoryStore();
  const { path, history, set, list } = await desktop(store, ["u1"]);
  const other = new BetterSqlite3(path);
  other.exec("BEGIN IMMEDIATE");
  const { observer, errors } = recorder();
  const call = clientOf({ store, history, observer, callTimeoutMs: false });
  expect(await call("/conversation/set_conversations", settingOf(["u1"], { ex: "x" }))).toMatchObject({ errCode: 500 });
  expect(errors.map(({ error }) => String(error))).toEqual([expect.stringContaining("database is locked")]);
  expect(await store.conversations("u1")).toEqual([]);
  // It can be read meanwhile.
  expect((await list()).total).toBe(0);
  other.close();
  expect(await set(["u1"], { ex: "x" })).toMatchObject({ errCode: 0 });
});
