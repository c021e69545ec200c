/** Databases that a host has handed to us: its tables stay, and one with a name of ours stops us before we begin. */
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { Miniflare } from "miniflare";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrateD1 } from "../../../src/stores/drivers/d1.js";
import { migrateLibsql } from "../../../src/stores/drivers/libsql.js";
import { migrate } from "../../../src/stores/drivers/sql.js";
import type { Row, Statements } from "../../../src/stores/sqlite/database.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { bundleWorker, startWorker } from "../../helpers/workerd.js";

/** A database of a host, into which our schema is to come. */
interface HostDatabase {
  run(sql: string): Promise<unknown[]>;
  migrate(): Promise<void>;
}

const hosts: Record<string, () => Promise<HostDatabase>> = {
  async "migrateD1 in a D1 database"() {
    const worker = await startWorker();
    onTestFinished(() => worker.stop());
    return { run: worker.run, migrate: () => migrateD1(worker.database) };
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
    const { code } = await bundleWorker(
      'export * from "./test/children/durableHost.ts"; export { default } from "./test/children/durableHost.ts"',
    );
    const miniflare = new Miniflare({
      modules: true,
      script: code,
      compatibilityDate: "2026-04-01",
      compatibilityFlags: ["nodejs_compat"],
      durableObjects: { HOST: { className: "Host", useSQLite: true } },
    });
    onTestFinished(() => miniflare.dispose());
    async function ask(sql: string, isStoreMade: boolean): Promise<unknown[]> {
      const response = await miniflare.dispatchFetch("http://localhost/", {
        method: "POST",
        body: JSON.stringify({ sql, isStoreMade }),
      });
      const { rows, failure } = (await response.json()) as { rows: unknown[]; failure?: string };
      if (failure !== undefined) throw new Error(failure);
      return rows;
    }
    return { run: (sql) => ask(sql, false), migrate: async () => void (await ask("SELECT 1", true)) };
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
