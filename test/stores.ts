import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type BundledStore, openSqliteStore } from "../src/stores/drivers/sqlite.js";

/** An empty folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty store in memory, closed when the test is over. */
export function memoryStore(): BundledStore {
  const store = openSqliteStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}
