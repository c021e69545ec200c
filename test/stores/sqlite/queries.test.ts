import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import type { Statement, Statements } from "../../../src/stores/sqlite/database.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { filterings, listMethods } from "../../helpers/filters.js";
import { openSqliteDatabase } from "../../helpers/stores.js";

const page = { offset: 40, limit: 20 };
const members = { ...page, groupID: "g1" };
const requests = { ...page, userID: "u1" };
const change = { conversationID: "c1", groupID: "", userID: "u2", fields: { ex: "x" } };

/** Each list, with each of its filters. */
const ofEachList = Object.fromEntries(
  listMethods.flatMap((method) =>
    filterings(method).map((filters) => {
      const query = { ...members, ...requests, ownerUserID: "u1", ...filters };
      return [`${method} with ${JSON.stringify(filters)}`, (store: BundledStore) => store[method](query as never)];
    }),
  ),
);

/** Each method, in each of its ways; the leaves of `large` have words. */
const calls: Record<string, (store: BundledStore) => Promise<unknown>> = {
  ...ofEachList,
  "members of a large group with a short keyword": (store) =>
    store.listGroupMembers({ ...members, groupID: "large", keyword: "a" }),
  "members of a large group with a long keyword": (store) =>
    store.listGroupMembers({ ...members, groupID: "large", keyword: "芳123" }),
  "members of a large group with a Chinese keyword": (store) =>
    store.listGroupMembers({ ...members, groupID: "large", keyword: "王芳", roleLevels: [20] }),
  "received join requests on a late page": (store) => store.listReceivedGroupRequests({ ...requests, offset: 2000 }),
  "received join requests with a result on a late page": (store) =>
    store.listReceivedGroupRequests({ ...requests, handleResults: [0], offset: 2000 }),
  "received join requests with a result": (store) =>
    store.listReceivedGroupRequests({ ...requests, handleResults: [0] }),
  "set conversations": (store) => store.setConversations({ ...change, userIDs: ["u1"], conversationType: 1 }),
  conversations: (store) => store.conversations("u1"),
  put: (store) => store.put({ blacks: [{ ownerUserID: "u1", blackUserID: "u2" }] }),
  remove: (store) => store.remove({ groupMembers: [{ groupID: "g1", userID: "u1" }] }),
};

const folder = mkdtempSync(join(tmpdir(), "im-admin-"));

/** What a call sends to the database. */
const sent = new Map<string, Statement[]>();
let connection: BetterSqlite3.Database;

beforeAll(async () => {
  const path = join(folder, "im.db");
  const filled = openSqliteStore({ path });
  const large = Array.from({ length: 2500 }, (_, index) => ({
    groupID: "large",
    userID: `u${index}`,
    nickname: "王芳123",
  }));
  const many = Array.from({ length: 3000 }, (_, index) => `v${index}`);
  await filled.put({
    users: ["u1", "u2", ...many].map((userID) => ({ userID, appMangerLevel: 3 })),
    groups: ["g1", "large", ...many].map((groupID) => ({ groupID })),
    groupMembers: [...large, { groupID: "g1", userID: "u1", roleLevel: 60 }],
    blacks: many.map((blackUserID) => ({ ownerUserID: "u1", blackUserID })),
    groupRequests: many.map((userID) => ({ groupID: "g1", userID })),
    conversations: many.map((conversationID) => ({ ownerUserID: "u1", conversationID })),
  });
  await filled.close();
  const database = openSqliteDatabase({ path });
  for (const [name, call] of Object.entries(calls)) {
    const statements: Statement[] = [];
    const noted = (run: typeof database.read) => (asked: Statements) => {
      const list = [...asked];
      statements.push(...list);
      return run(list);
    };
    await call(createSqlStore({ ...database, read: noted(database.read), write: noted(database.write) }));
    sent.set(name, statements);
  }
  await database.close();
  connection = new BetterSqlite3(path);
});
afterAll(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

it("has at most three compound terms where D1 takes five", () => {
  const statements = [...sent.values()].flat().map(({ text }) => text);
  expect(statements.length).toBeGreaterThan(20);
  expect(Math.max(...statements.map(compoundTerms))).toBe(3);
});

/** The most terms that UNION joins at one place of a statement: those between the same pair of parentheses. */
function compoundTerms(text: string): number {
  const open = [1];
  const counts = [1];
  for (const [token] of text.matchAll(/'[^']*'|[()]|\bUNION\b/g)) {
    if (token === "(") open.push(1);
    else if (token === ")") open.pop();
    else if (token === "UNION") {
      const terms = (open.pop() ?? 0) + 1;
      open.push(terms);
      counts.push(terms);
    }
  }
  return Math.max(...counts);
}

describe.each(["as it is made", "after ANALYZE"])("a database %s", (state) => {
  beforeAll(() => {
    if (state === "after ANALYZE") connection.exec("ANALYZE");
  });

  it.each(Object.keys(calls))("finds the rows for %s by an index, however many others there are", (name) => {
    const steps = (sent.get(name) ?? []).flatMap(({ text, values }) => {
      const plan = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
      return plan.map(({ detail }) => detail);
    });
    // Temporary results of few rows.
    const made =
      "request|asked|list|seek|leaf|descent|ranks|ranges|range|bound|hits|hit|found|place|direction|counted|bounds|parts|around|measured|sorted|word|changed|managed|merged|target|starts\\d|bounds\\d|chosen|ranked|nearer|result";
    // A search reads all accounts, and mending reads what must be mended.
    const matched =
      "im_admin_listed_users USING (COVERING )?INDEX im_admin_notification_accounts_(by_level_)?in_order|im_admin_\\w+ USING INDEX im_admin_\\w+_(unfit|stale)";
    const few = new RegExp(
      `^SCAN (CONSTANT ROW|\\d+ CONSTANT ROWS?|\\d-ROW VALUES CLAUSE|parents|json_each|im_admin_(request|arrays|targets|obstacles)|users|concerned|kinds|levels|moved|places|sums|row|moves|edits|divided|sparse|leaves|owners|differing|\\(subquery|entry$|${made}|${matched})\\b`,
    );
    expect(steps.filter((step) => step.startsWith("SCAN") && !few.test(step))).toStrictEqual([]);
    // An index that SQLite makes for one statement is made of all rows; the request has but one.
    const automatic = steps.filter((step) => step.includes("AUTOMATIC") && !/^SEARCH (im_admin_)?request\b/.test(step));
    expect(automatic).toStrictEqual([]);
    expect(steps.length).toBeGreaterThan(0);
  });
});
