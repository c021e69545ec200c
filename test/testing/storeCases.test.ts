import { afterAll, beforeAll, describe, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { type OpenStore, storeCases, toleranceCases } from "../../src/testing/index.js";
import { openExampleStore } from "../helpers/exampleStore.js";
import { temporaryFolder } from "../helpers/stores.js";
import { startWorker, type TestWorker } from "../helpers/workerd.js";

const openSqlite =
  (path: () => string): OpenStore =>
  async (records) => {
    const store = openSqliteStore({ path: path() });
    onTestFinished(() => store.close());
    await store.put(records);
    return store;
  };

let d1: TestWorker;
beforeAll(async () => {
  d1 = await startWorker();
});
afterAll(() => d1.stop());

const openD1: OpenStore = async (records) => {
  const store = await d1.emptyStore();
  await store.put(records);
  return store;
};

const engines: Record<string, OpenStore> = {
  "SQLite in memory": openSqlite(() => ":memory:"),
  "SQLite in a file": openSqlite(() => `${temporaryFolder()}/im.db`),
  "D1 on workerd": openD1,
  "the example store": openExampleStore,
};

describe.each(Object.entries(engines))("%s", (_engine, open) => {
  it.each(Object.entries({ ...storeCases, ...toleranceCases }))("%s", (_sentence, storeCase) => storeCase(open));
});
