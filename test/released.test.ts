/** Databases as each released version has left them, and the next one as it leaves them: every later version reads them. */
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BundledStore } from "../src/stores/bundledStore.js";
import { createPostgresStore, migratePostgres } from "../src/stores/postgres/index.js";
import { imAdmin } from "./helpers/cliProcess.js";
import { startPostgres } from "./helpers/postgres/server.js";
import { problemsOf, settle } from "./helpers/postgres/sessions.js";
import { fileEngines, temporaryFolder } from "./helpers/stores.js";

const folder = fileURLToPath(new URL("released/", import.meta.url));
const released = readdirSync(folder);
/** This version without its last number: only a minor version has another schema. */
const [current = ""] =
  /^\d+\.\d+/.exec(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version) ?? [];

const advice = (kept: string) =>
  `a database of ${kept} is not read as it was. ` +
  (kept === current
    ? `If the schema has changed, and ${kept} is not published, write it anew: npm run fixture`
    : "Users have such databases: a migration must bring them here");

/** Runs checks of a version's database, and says what to do where one fails. */
async function explained(kept: string, checks: () => Promise<void>): Promise<void> {
  await checks().catch((error: Error) => {
    error.message = `${advice(kept)}\n${error.message}`;
    throw error;
  });
}

const page = { offset: 0, limit: 10 };

/** Reads a list of each kind, changes one, and reads it again. */
async function expectLists(store: BundledStore): Promise<void> {
  const members = await store.listGroupMembers({ ...page, groupID: "readers", keyword: "" });
  expect(members?.total).toBe(8);
  expect(members?.items.map(({ userID }) => userID)).toEqual([
    "boss",
    "bob",
    "王芳",
    "Zed",
    "ann",
    "～",
    "😀",
    "nameless",
  ]);
  expect(members?.items[1]).toMatchObject({
    nickname: "In the group",
    faceURL: "bob-in-group.jpg",
    joinTime: 9,
    joinSource: 3,
    operatorUserID: "boss",
    ex: "bob's",
    muteEndTime: 1_687_762_198_048,
    inviterUserID: "ann",
  });

  // The first of them was removed at last, and nobody has settled that.
  const crowd = { groupID: "crowd", keyword: "" };
  expect(await store.listGroupMembers({ ...crowd, offset: 0, limit: 1 })).toMatchObject({
    total: 149,
    items: [{ userID: "u002" }],
  });
  expect(await store.listGroupMembers({ ...crowd, offset: 147, limit: 9 })).toMatchObject({
    total: 149,
    items: [{ userID: "u149" }, { userID: "u150", nickname: "Member 150" }],
  });
  expect(await store.listGroupMembers({ ...page, groupID: "crowd", keyword: "member 14" })).toMatchObject({
    total: 10,
  });

  expect((await store.listNotificationAccounts({ ...page, keyword: "" })).items).toEqual([
    { userID: "SysAlert", nickName: "Alerts 50%", faceURL: "" },
    { userID: "bot", nickName: "Welcome", faceURL: "" },
    { userID: "late", nickName: "Came late", faceURL: "" },
    { userID: "sysNews", nickName: "系统通知", faceURL: "news.jpg" },
  ]);

  const blacks = await store.listBlacks({ ...page, ownerUserID: "ann" });
  expect(blacks?.items.map(({ blackUserInfo, createTime }) => [blackUserInfo.userID, createTime])).toEqual([
    ["nameless", 1_688_460_626_999],
    ["Zed", 5_000],
    ["bob", 5_000],
  ]);

  const groups = await store.listJoinedGroups({ ...page, userID: "boss" });
  expect(groups?.items.map(({ groupID, memberCount, ownerUserID }) => [groupID, memberCount, ownerUserID])).toEqual([
    ["latest", 1, "boss"],
    ["Dismissed", 1, ""],
    ["readers", 8, "boss"],
    ["writers", 2, "ann"],
  ]);

  const requests = await store.listReceivedGroupRequests({ ...page, userID: "boss" });
  expect(requests?.items.map(({ groupInfo, userInfo }) => `${groupInfo.groupID} ${userInfo.userID}`)).toEqual([
    "latest alone",
    "readers Zed",
    "readers alone",
    "writers alone",
    "writers nameless",
  ]);

  expect(await store.conversations("ann")).toMatchObject([
    { conversationID: "sg_readers", recvMsgOpt: 2, isPinned: true, burnDuration: 30, maxSeq: 9_007_199_254_740_991 },
  ]);

  await store.remove({ groupMembers: [{ groupID: "crowd", userID: "u150" }] });
  await store.put({ groupMembers: [{ groupID: "crowd", userID: "ann", roleLevel: 100 }] });
  expect(await store.listGroupMembers({ ...crowd, offset: 148, limit: 9 })).toMatchObject({
    total: 149,
    items: [{ userID: "u149" }],
  });
}

it("has a database of this version", () => {
  expect(released, "write it: npm run fixture").toContain(current);
});

describe.each(released)("of %s", (kept) => {
  it.each(Object.entries(fileEngines))("a SQLite file is opened by %s, read, written and whole", async (_, open) => {
    const path = join(temporaryFolder(), "im.db");
    copyFileSync(join(folder, kept, "im-admin.sqlite"), path);
    await explained(kept, async () => {
      const store = open({ path });
      onTestFinished(() => store.close());
      await expectLists(store);
      await store.close();
      expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
    });
  });

  it("a dump of PostgreSQL is restored, migrated, read, written and whole", async () => {
    const { pool, stop } = await startPostgres();
    onTestFinished(stop);
    await explained(kept, async () => {
      await pool.query(readFileSync(join(folder, kept, "postgres.sql"), "utf8"));
      await migratePostgres(pool);
      await expectLists(createPostgresStore({ pool, settle: false }));
      await settle(pool);
      expect(await problemsOf(pool)).toEqual([]);
    });
  });
});
