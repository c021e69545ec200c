import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { type BundledStore, openSqliteStore } from "../src/stores/sqlite.js";
import { temporaryFolder } from "./stores.js";

/** A store whose file another connection is writing to, and the end of that write. */
function writtenElsewhere(): { path: string; commit(): void } {
  const path = `${temporaryFolder()}/im.db`;
  void openSqliteStore({ path }).close();
  const other = new BetterSqlite3(path);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE; INSERT INTO users (userID, appMangerLevel) VALUES ('other', 3)");
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
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await store.listNotificationAccounts(everything)).toEqual({ total: 0, items: [] });
  expect(hasWritten).toBe(false);
  commit();
  await write;
  expect((await store.listNotificationAccounts(everything)).items.map(({ userID }) => userID)).toEqual([
    "other",
    "ours",
  ]);
});

it("refuses an option that it does not know", () => {
  expect(() => openSqliteStore({ path: ":memory:", readOnly: true } as never)).toThrow(
    new TypeError('openSqliteStore does not know the option "readOnly"; it takes path, readonly'),
  );
});
