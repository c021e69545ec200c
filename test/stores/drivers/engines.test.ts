import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { transform } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { recordNames } from "../../../src/records.js";
import { createDurableObjectStore } from "../../../src/stores/drivers/durableObject.js";
import { createLibsqlStore, migrateLibsql } from "../../../src/stores/drivers/libsql.js";
import { createSqlStore, migrate } from "../../../src/stores/drivers/sql.js";
import { ourName } from "../../../src/stores/sqlite/sql.js";
import { isDeep } from "../../helpers/chance.js";
import { expectRight } from "../../helpers/corruptedFile.js";
import { engineFailures } from "../../helpers/engineCases.js";
import { makeFile } from "../../helpers/foreignFiles.js";
import { fileEngines, temporaryFolder } from "../../helpers/stores.js";
import { forCases, startDurableObjects, startWorker } from "../../helpers/workerd.js";

const emptyTables = recordNames.map((table) => `DELETE FROM ${ourName(table)};`).join("");

/** The failed cases of each engine. */
const engines: Record<string, () => Promise<string[]>> = {
  async libSQL() {
    const path = `${temporaryFolder()}/im.db`;
    const client = createClient({ url: `file:${path}` });
    onTestFinished(() => client.close());
    await migrateLibsql(client);
    const failures = await engineFailures(async () => {
      await client.executeMultiple(emptyTables);
      return createLibsqlStore(client);
    });
    await expectRight(path);
    return failures;
  },

  async D1() {
    const { port, stop } = await startWorker('export { default } from "./test/children/d1Engine.ts"', forCases);
    onTestFinished(stop);
    const response = await fetch(`http://127.0.0.1:${port}`);
    return (await response.json()) as string[];
  },

  async "a Durable Object"() {
    const { ask, stop } = await startDurableObjects();
    onTestFinished(stop);
    return (await ask("engine", "failures")) as string[];
  },

  async "the driver in docs/engines.md"() {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const [, code = ""] = /```ts\n(.*?)```/s.exec(readFileSync(`${root}docs/engines.md`, "utf8")) ?? [];
    // It is inside the package, so that it resolves the package's name.
    const folder = mkdtempSync(`${root}.docs-`);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(`${folder}/driver.mjs`, (await transform(code, { loader: "ts" })).code);
    const { driver } = await import(`${folder}/driver.mjs`);
    const connection = new BetterSqlite3(":memory:");
    const database = driver(connection);
    onTestFinished(() => database.close());
    await migrate(database);
    return engineFailures(async () => {
      connection.exec(emptyTables);
      return createSqlStore({ ...database, close: async () => {} });
    });
  },
};

for (const [name, open] of Object.entries(fileEngines)) {
  engines[`${name} in a file`] = async () => {
    const path = `${temporaryFolder()}/im.db`;
    const failures = await engineFailures(async () => {
      // It is emptied while nobody has it open: a process must not have a file open by two builds of SQLite.
      if (existsSync(path)) makeFile(path, emptyTables);
      return open({ path });
    });
    await expectRight(path);
    return failures;
  };
}

/** The deep tests run all of them. */
const asked = isDeep ? Object.keys(engines) : ["better-sqlite3 in a file"];

it.each(asked)("%s passes all cases", { timeout: 300_000 }, async (name) => {
  expect(await engines[name]?.()).toEqual([]);
});

it("libSQL answers the same where its client gives integers as text", async () => {
  const client = createClient({ url: `file:${temporaryFolder()}/im.db`, intMode: "string" });
  onTestFinished(() => client.close());
  await migrateLibsql(client);
  const store = createLibsqlStore(client);
  const conversation = { ownerUserID: "u", conversationID: "c", conversationType: 3, isPinned: true, recvMsgOpt: 2 };
  await store.put({ users: [{ userID: "u" }], conversations: [conversation] });
  expect(await store.conversations("u")).toMatchObject([conversation]);
  expect(await store.listBlacks({ ownerUserID: "u", offset: 0, limit: 1 })).toEqual({ total: 0, items: [] });
});

it.each([undefined, {}, { read() {}, write() {} }])("no store is made of %o, which is no driver", async (database) => {
  expect(() => createSqlStore(database as never)).toThrow("database must have the method");
  await expect(migrate(database as never)).rejects.toThrow("database must have the method");
  expect(() => createLibsqlStore(database as never)).toThrow("client must be a client of @libsql/client");
  expect(() => createDurableObjectStore(database as never)).toThrow("storage must be the ctx.storage");
});
