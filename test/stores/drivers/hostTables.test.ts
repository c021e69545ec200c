/** Databases that a host has handed to us: its tables stay, and one with a name of ours stops us before we begin. */
import { randomUUID } from "node:crypto";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { migrateD1 } from "../../../src/stores/drivers/d1.js";
import { migrateLibsql } from "../../../src/stores/drivers/libsql.js";
import { migrate } from "../../../src/stores/drivers/sql.js";
import type { Row, Statements } from "../../../src/stores/sqlite/database.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { startDurableObjects, startWorker, type TestWorker } from "../../helpers/workerd.js";

/** A database of a host, into which our schema is to come. */
interface HostDatabase {
  run(sql: string): Promise<unknown[]>;
  migrate(): Promise<void>;
}

let d1: TestWorker;
let objects: Awaited<ReturnType<typeof startDurableObjects>>;
beforeAll(async () => {
  [d1, objects] = await Promise.all([startWorker(), startDurableObjects()]);
});
afterAll(() => Promise.all([d1.stop(), objects.stop()]));

const hosts: Record<string, () => Promise<HostDatabase>> = {
  async "migrateD1 in a D1 database"() {
    await d1.dropAll();
    return { run: d1.run, migrate: () => migrateD1(d1.database) };
  },
  async "migrateLibsql in a database of libSQL"() {
    const client = createClient({ url: `file:${temporaryFolder()}/host.db` });
    onTestFinished(() => client.close());
    const run = async (sql: string) => (await client.execute(sql)).rows.map((row) => ({ ...row }));
    return { run, migrate: () => migrateLibsql(client) };
  },
  async "migrate of im-admin/sql, with a driver of the host"() {
    const connection = new BetterSqlite3(":memory:");
    onTestFinished(() => void connection.close());
    const runAll = connection.transaction((statements: Statements) =>
      Array.from(statements, ({ text, values }): Row[] => {
        const statement = connection.prepare<unknown[], Row>(text);
        if (statement.reader) return statement.all(...values);
        statement.run(...values);
        return [];
      }),
    );
    const batch = async (statements: Statements) => runAll(statements);
    const run = async (sql: string) => runAll([{ text: sql, values: [] }])[0] ?? [];
    return { run, migrate: () => migrate({ read: batch, write: batch, close: async () => {} }) };
  },
  async "a store in a Durable Object"() {
    const name = randomUUID();
    return {
      run: (sql) => objects.ask(name, { sql }),
      migrate: async () => void (await objects.ask(name, { sql: "SELECT 1", isStoreMade: true })),
    };
  },
};

describe.each(Object.entries(hosts))("%s", (_, open) => {
  it("adds our tables beside those of the host", async () => {
    const host = await open();
    await host.run("CREATE TABLE orders (name TEXT)");
    await host.run("INSERT INTO orders VALUES ('kept')");
    await host.migrate();
    await host.migrate();
    expect(await host.run("SELECT name FROM orders")).toEqual([{ name: "kept" }]);
    expect(await host.run("SELECT version FROM schemaVersion")).toEqual([{ version: 1 }]);
  });

  it.each([
    ["CREATE TABLE users (id INTEGER PRIMARY KEY)", "its table users has a name that im-admin needs"],
    ["CREATE VIEW Lists AS SELECT 1 AS id", "its view Lists has a name that im-admin needs"],
    ["CREATE TABLE schemaVersion (version INTEGER)", "its table schemaVersion has a name that im-admin needs"],
  ])("refuses a database after %s, and changes nothing", async (sql, sentence) => {
    const host = await open();
    await host.run(sql);
    const all = "SELECT name, sql FROM sqlite_schema ORDER BY name";
    const before = await host.run(all);
    await expect(host.migrate()).rejects.toThrow(`${sentence}: give im-admin a database of its own, or rename yours`);
    expect(await host.run(all)).toEqual(before);
  });
});
