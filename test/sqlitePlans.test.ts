import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { Statement } from "../src/stores/sql/database.js";
import { type BundledStore, createSqlStore } from "../src/stores/sql/store.js";
import { openSqliteStore } from "../src/stores/sqlite.js";
import { temporaryFolder } from "./stores.js";

const page = { offset: 40, limit: 20, keyword: "" };
const change = { conversationID: "c1", groupID: "", userID: "u2", fields: { ex: "x" } };

/** Each method, and what it may read from end to end beside the values that it was called with. */
const calls: Record<string, [call: (store: BundledStore) => Promise<unknown>, alsoScanned?: string]> = {
  listGroupMembers: [(store) => store.listGroupMembers({ ...page, groupID: "g1" })],
  "listGroupMembers of some levels": [(store) => store.listGroupMembers({ ...page, groupID: "g1", roleLevels: [60] })],
  "listGroupMembers with a keyword": [(store) => store.listGroupMembers({ ...page, groupID: "g1", keyword: "a" })],
  listBlacks: [(store) => store.listBlacks({ ...page, ownerUserID: "u1" })],
  listJoinedGroups: [(store) => store.listJoinedGroups({ ...page, userID: "u1" })],
  listReceivedGroupRequests: [(store) => store.listReceivedGroupRequests({ ...page, userID: "u1" })],
  "listReceivedGroupRequests for some groups": [
    (store) => store.listReceivedGroupRequests({ ...page, userID: "u1", groupIDs: ["g1"], handleResults: [0] }),
  ],
  listNotificationAccounts: [
    (store) => store.listNotificationAccounts({ ...page, keyword: "a", appMangerLevel: 3 }),
    "account USING INDEX usersNotification",
  ],
  setConversations: [
    (store) => store.setConversations({ ...change, userIDs: ["u1"], conversationType: 1 }),
    "request|obstacles|listed VIRTUAL TABLE",
  ],
  conversations: [(store) => store.conversations("u1")],
  remove: [(store) => store.remove({ groupMembers: [{ groupID: "g1", userID: "u1" }] })],
};

it.each(Object.entries(calls))("%s finds its rows by an index, however many others there are", async (_, call) => {
  const [run, alsoScanned = "CONSTANT ROW"] = call;
  const path = join(temporaryFolder(), "im.db");
  await openSqliteStore({ path }).close();
  const connection = new BetterSqlite3(path);
  onTestFinished(() => void connection.close());

  const steps: string[] = [];
  const explain = ({ sql, values }: Statement) => {
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    steps.push(...plan.map(({ detail }) => detail));
    return [];
  };
  const explainAll = async (statements: Iterable<Statement>) => Array.from(statements, explain);
  await run(createSqlStore({ read: explainAll, write: explainAll, close: async () => {} }));

  const fromValues = new RegExp(`^SCAN (CONSTANT ROW|json_each|\\(subquery|${alsoScanned})`);
  expect(steps.filter((step) => step.startsWith("SCAN") && !fromValues.test(step))).toStrictEqual([]);
  // An index that SQLite makes for one statement is made of all rows; `request` has but one.
  expect(steps.filter((step) => step.includes("AUTOMATIC") && !step.startsWith("SEARCH request"))).toStrictEqual([]);
  expect(steps.some((step) => step.startsWith("SEARCH"))).toBe(true);
});
