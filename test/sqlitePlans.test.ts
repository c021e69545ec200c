import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { Statement, Statements } from "../src/stores/sql/database.js";
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
  "listGroupMembers with a long keyword and some levels": [
    (store) => store.listGroupMembers({ ...page, groupID: "g1", keyword: "abc", roleLevels: [60] }),
  ],
  "listReceivedGroupRequests with a result": [
    (store) => store.listReceivedGroupRequests({ ...page, userID: "u1", handleResults: [0] }),
  ],
  "listReceivedGroupRequests with several results": [
    (store) => store.listReceivedGroupRequests({ ...page, userID: "u1", handleResults: [1, -1] }),
  ],
  listNotificationAccounts: [(store) => store.listNotificationAccounts({ ...page, keyword: "a", appMangerLevel: 3 })],
  "listNotificationAccounts of a level": [(store) => store.listNotificationAccounts({ ...page, appMangerLevel: 3 })],
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
  const explainAll = async (statements: Statements) => Array.from(statements, explain);
  await run(createSqlStore({ read: explainAll, write: explainAll, close: async () => {} }));

  // What a statement makes itself, of a few rows; and the search indexes, for what matches.
  const made = "seek|leaf|descent|ranks|ranges|range|bound|list|way|page|entry";
  const scanned = `CONSTANT ROW|json_each|\\(subquery|${made}|list(Grams|Trigrams) VIRTUAL TABLE INDEX 0:M\\d|${alsoScanned}`;
  const fromValues = new RegExp(`^SCAN (${scanned})\\b`);
  // A page as `entry`, once, and not a table by that name.
  expect(steps.filter((step) => step === "SCAN entry").length).toBe(
    steps.filter((step) => /^(CO-ROUTINE|MATERIALIZE) entry$/.test(step)).length,
  );
  expect(steps.filter((step) => step.startsWith("SCAN") && !fromValues.test(step))).toStrictEqual([]);
  // An index that SQLite makes for one statement is made of all rows; `request` has but one.
  expect(steps.filter((step) => step.includes("AUTOMATIC") && !step.startsWith("SEARCH request"))).toStrictEqual([]);
  expect(steps.some((step) => step.startsWith("SEARCH"))).toBe(true);
});
