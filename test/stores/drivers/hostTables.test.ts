/** Databases that a host has handed to us: its tables stay. */
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

/** Tables as chat servers have them. */
const tables = ["users", "groups", "group_members", "conversations", "lists", "documents"];

describe.each(Object.entries(hosts))("%s", (_, open) => {
  it("adds our tables beside those of a chat server, which stay as they are", async () => {
    const host = await open();
    for (const table of tables) {
      await host.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT)`);
      await host.run(`INSERT INTO ${table} (name) VALUES ('kept')`);
    }
    const ofHost = `SELECT name, sql FROM sqlite_schema WHERE name IN ('${tables.join("', '")}') ORDER BY name`;
    const before = await host.run(ofHost);
    await host.migrate();
    await host.migrate();
    expect(await host.run(ofHost)).toEqual(before);
    for (const table of tables) {
      expect(await host.run(`SELECT id, name FROM ${table}`)).toEqual([{ id: 1, name: "kept" }]);
    }
    await host.run("INSERT INTO im_admin_users (user_id) VALUES ('u1')");
    expect(await host.run("SELECT version FROM im_admin_schema_version")).toEqual([{ version: 1 }]);
  });

  it("makes nothing that is not called im_admin_...", async () => {
    const host = await open();
    const others =
      "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'im\\_admin\\_%' ESCAPE '\\'";
    const before = await host.run(others);
    await host.migrate();
    expect(await host.run(others)).toEqual(before);
  });

  it("refuses a database whose version has been lost, and changes nothing", async () => {
    const host = await open();
    await host.migrate();
    await host.run("DROP TABLE im_admin_schema_version");
    const all = "SELECT name, sql FROM sqlite_schema ORDER BY name";
    const before = await host.run(all);
    await expect(host.migrate()).rejects.toThrow(
      "of im-admin, but im_admin_schema_version does not say which version it has",
    );
    expect(await host.run(all)).toEqual(before);
  });
});
