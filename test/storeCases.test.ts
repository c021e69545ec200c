import { describe, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../src/stores/sqlite.js";
import { type OpenStore, storeCases } from "../src/testing/index.js";
import { openExampleStore } from "./exampleStore.js";
import { temporaryFolder } from "./stores.js";

const openSqlite =
  (path: () => string): OpenStore =>
  async (records) => {
    const store = openSqliteStore({ path: path() });
    onTestFinished(() => store.close());
    await store.put(records);
    return store;
  };

const engines: Record<string, OpenStore> = {
  "SQLite in memory": openSqlite(() => ":memory:"),
  "SQLite in a file": openSqlite(() => `${temporaryFolder()}/im.db`),
  "the example store": openExampleStore,
};

describe.each(Object.entries(engines))("%s", (_engine, open) => {
  it.each(Object.entries(storeCases))("%s", (_sentence, storeCase) => storeCase(open));
});
