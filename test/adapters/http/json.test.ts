import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import type { Store } from "../../../src/index.js";
import {
  createSqlStore,
  migrate,
  type Row,
  type SqlDatabase,
  type Statements,
} from "../../../src/stores/drivers/sql.js";
import { type BundledStore, openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { rounds } from "../../helpers/chance.js";
import { anybody, textFrom } from "../../helpers/http/hosts.js";
import { membersBody, paths } from "../../helpers/http/request.js";
import { memoryStore, temporaryFolder } from "../../helpers/stores.js";
import { startWorker, type TestWorker } from "../../helpers/workerd.js";

/** A store of the host around a bundled one. */
function wrapped(store: Store): Store {
  return {
    listGroupMembers: (query) => store.listGroupMembers(query),
    listBlacks: (query) => store.listBlacks(query),
    listJoinedGroups: (query) => store.listJoinedGroups(query),
    listReceivedGroupRequests: (query) => store.listReceivedGroupRequests(query),
    listNotificationAccounts: (query) => store.listNotificationAccounts(query),
    setConversations: (change) => store.setConversations(change),
  };
}

async function answers(store: Store): Promise<string[]> {
  const handler = createFetchHandler({ store, authenticate: anybody });
  const page = { pagination: { pageNumber: 1, showNumber: 10 } };
  const requests: [string, object][] = [
    [paths.members, { groupID: "g1" }],
    [paths.members, { groupID: "g1", keyword: "u" }],
    [paths.members, { groupID: "g1", filter: 1 }],
    [paths.members, { groupID: "g404" }],
    [paths.members, { groupID: "empty" }],
    [paths.blacks, { userID: "u1" }],
    [paths.joined, { fromUserID: "u1" }],
    [paths.requests, { fromUserID: "u1" }],
    [paths.requests, { fromUserID: "u1", handleResults: [0] }],
    [paths.accounts, {}],
    [paths.accounts, { keyword: "u", appManagerLevel: 3 }],
  ];
  const texts = [];
  for (const [path, input] of requests) {
    texts.push(await textFrom(handler, { path, body: JSON.stringify({ ...input, ...page }) }));
  }
  return texts;
}

/** Texts with all characters that JSON escapes, and with dollar signs, which mean something in replacements. */
const text = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("$&", "$'`$1", '"\\/\b\f\n\r\t', "\u0001\u001f\u007f\u0080\u2028\u2029\ufeff", "[]", "😀王"),
  )
  .map((value) => value.replaceAll("\0", ""));
const time = fc.oneof(fc.nat(), fc.constantFrom(999, 1000, 1999, 1_700_000_000_123, 9_007_199_254_740_991));

async function fill(store: BundledStore, texts: readonly string[], times: readonly number[]): Promise<void> {
  const [nickname = "", faceURL = "", ex = "", groupName = "", reqMsg = ""] = texts;
  const [joinTime = 0, createTime = 0, reqTime = 0] = times;
  await store.put({
    users: [
      { userID: "u1", nickname, faceURL, ex, appMangerLevel: 3 },
      { userID: "u2", nickname: ex },
    ],
    groups: [{ groupID: "g1", groupName, notification: ex, createTime }, { groupID: "empty" }],
    groupMembers: [
      { groupID: "g1", userID: "u1", roleLevel: 100, joinTime, ex },
      { groupID: "g1", userID: "u2", roleLevel: 20, nickname },
    ],
    blacks: [{ ownerUserID: "u1", blackUserID: "u2", createTime, ex }],
    groupRequests: [{ groupID: "g1", userID: "u2", reqMsg, reqTime, handleMsg: ex }],
  });
}

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});
afterAll(() => worker.stop());

it("answers what SQLite has written character by character as JSON.stringify writes it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 5, maxLength: 5 }),
      fc.array(time, { minLength: 3, maxLength: 3 }),
      async (texts, times) => {
        const store = memoryStore();
        await fill(store, texts, times);
        expect(await answers(store)).toEqual(await answers(wrapped(store)));
      },
    ),
    { numRuns: rounds(500) },
  );
});

it("answers in UTF-8, even if another program has written broken text", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  await fill(store, ["王"], []);
  const foreign = new BetterSqlite3(path);
  foreign.exec("UPDATE im_admin_users SET nickname = CAST(x'41ff42' AS TEXT) WHERE user_id = 'u1'");
  foreign.close();
  const handler = createFetchHandler({ store, authenticate: anybody });
  const init = { method: "POST", headers: { operationID: "o" }, body: membersBody };
  const answer = await handler(new Request(`http://localhost${paths.members}`, init));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await answer.arrayBuffer());
  expect(JSON.parse(text).data.members[0].nickname).toBe("A\ufffdB");
  const page = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 10 });
  expect(page?.items[0]?.nickname).toBe("A\ufffdB");
});

it("passes on what a host's driver gives as bytes", async () => {
  const connection = new BetterSqlite3(":memory:");
  const read: Buffer[] = [];
  const runAll = connection.transaction((statements: Statements) =>
    Array.from(statements, ({ text, values }) => {
      const statement = connection.prepare<unknown[], Row>(text);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    }),
  );
  const database: SqlDatabase = {
    read: async (statements) => runAll.deferred(statements),
    write: async (statements) => runAll.immediate(statements),
    close: async () => void connection.close(),
    jsonOf(bytes) {
      read.push(bytes as Buffer);
      return bytes as Uint8Array<ArrayBuffer>;
    },
  };
  await migrate(database);
  const store = createSqlStore(database);
  onTestFinished(() => store.close());
  await fill(store, ["王$&", "😀"], [1999]);
  const texts = await answers(store);
  expect(read.every(Buffer.isBuffer) && read.length).toBe(10);
  expect(texts).toEqual(await answers(wrapped(store)));
});

it("writes on D1 what JSON.stringify writes, too", async () => {
  const store = await worker.emptyStore();
  await fill(
    store,
    ['\u0001\u2028"\\$&', "😀王", "\ufeff[]", "$'`", "\r\n\t\b\f\u007f"],
    [1999, 999, 9_007_199_254_740_991],
  );
  expect(await answers(store)).toEqual(await answers(wrapped(store)));
});

it("asks a method that the host has put in the place of a store's own", async () => {
  const store = memoryStore();
  await fill(store, [], []);
  const [members = ""] = await answers({ ...store, listGroupMembers: async () => ({ total: 7, items: [] }) });
  expect(members).toBe('{"errCode":0,"errMsg":"","errDlt":"","data":{"total":7,"members":[]}}');
});
