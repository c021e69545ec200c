import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { betterSqlite3 } from "../../src/stores/drivers/betterSqlite3.js";
import { type FileOptions, openFileDatabase } from "../../src/stores/drivers/fileDatabase.js";
import { type BundledStore, openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import type { SqlDatabase } from "../../src/stores/sqlite/database.js";
import type { OnStep } from "../../src/stores/steps.js";

/** An empty folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** How each engine that this Node has opens a store in a file. */
export const fileEngines: Record<string, (options: FileOptions) => BundledStore> = {
  "better-sqlite3": openSqliteStore,
};
if (Number(process.versions.node.split(".")[0]) >= 22) {
  const { openNodeSqliteStore } = await import("../../src/stores/drivers/nodeSqlite.js");
  fileEngines["node:sqlite"] = openNodeSqliteStore;
}

/** What a store in a file runs its statements on. */
export function openSqliteDatabase(options: FileOptions, onMigration?: OnStep): SqlDatabase {
  return openFileDatabase(betterSqlite3, options, onMigration);
}

/** An empty store in memory, closed when the test is over. */
export function memoryStore(): BundledStore {
  const store = openSqliteStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}
