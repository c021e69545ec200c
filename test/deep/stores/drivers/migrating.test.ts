/** Databases of all engines get the schema beside a host's tables, and its next version. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BundledStore } from "../../../../src/stores/bundledStore.js";
import { createD1Store, migrateD1 } from "../../../../src/stores/drivers/d1.js";
import { createLibsqlStore, migrateLibsql } from "../../../../src/stores/drivers/libsql.js";
import { createSqlStore, migrate, type Row, type Statements } from "../../../../src/stores/drivers/sql.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { schemaVersion } from "../../../../src/stores/sqlite/schema/migrations.js";
import { installMap } from "../../../../src/stores/sqlite/upkeep/installMap.js";
import { tablesSql } from "../../../../src/stores/tablesSql.js";
import { rounds } from "../../../helpers/chance.js";
import { makeFile } from "../../../helpers/foreignFiles.js";
import { bundleNext, nextText } from "../../../helpers/nextVersion.js";
import { fileEngines, openSqliteDatabase, temporaryFolder } from "../../../helpers/stores.js";
import { startDurableObjects, startWorker, type TestWorker } from "../../../helpers/workerd.js";

/** A database, perhaps of a host. */
interface TestDatabase {
  run(sql: string): Promise<unknown[]>;
  /** Brings the database to the schema that drivers have, and opens a store. */
  open(drivers: Drivers): Promise<BundledStore>;
}

type Drivers = typeof current;

const current = {
  ...{ createD1Store, migrateD1, createLibsqlStore, migrateLibsql, createSqlStore, migrate, openSqliteStore },
  fileEngines,
};
let next: typeof current;
let d1: TestWorker;
let objects: Awaited<ReturnType<typeof startDurableObjects>>;

/** The drivers with the next version of the schema, as a module that processes import. */
const nextDrivers = fileURLToPath(new URL("../../../../node_modules/.cache/im-admin-next.mjs", import.meta.url));

beforeAll(async () => {
  const modules = ["d1", "libsql", "sql", "sqlite", ...("node:sqlite" in fileEngines ? ["nodeSqlite"] : [])];
  const code = modules.map((name) => `export * from "./src/stores/drivers/${name}.ts";`).join("\n");
  mkdirSync(dirname(nextDrivers), { recursive: true });
  writeFileSync(nextDrivers, await bundleNext(code, { format: "esm", platform: "node", external: ["better-sqlite3"] }));
  const found = await import(nextDrivers);
  const openSqliteStore: typeof current.openSqliteStore = (options) =>
    found.openSqliteStore({ ...options, threads: 0 });
  const opened = { "better-sqlite3": openSqliteStore, "node:sqlite": found.openNodeSqliteStore };
  next = { ...found, openSqliteStore, fileEngines: opened };
  [d1, objects] = await Promise.all([startWorker(), startDurableObjects()]);
});
afterAll(() => Promise.all([d1.stop(), objects.stop()]));

/** Runs SQL on a file that nobody has open. */
function onFile(path: string, statement: string): unknown[] {
  const connection = new BetterSqlite3(path);
  try {
    const prepared = connection.prepare(statement);
    return prepared.reader ? prepared.all() : [prepared.run()];
  } finally {
    connection.close();
  }
}

const databases: Record<string, () => Promise<TestDatabase>> = {
  async D1() {
    await d1.dropAll();
    return {
      run: d1.run,
      async open(drivers) {
        await drivers.migrateD1(d1.database);
        return drivers.createD1Store(d1.database);
      },
    };
  },
  async libSQL() {
    const client = createClient({ url: `file:${temporaryFolder()}/host.db` });
    onTestFinished(() => client.close());
    return {
      run: async (sql) => (await client.execute(sql)).rows.map((row) => ({ ...row })),
      async open(drivers) {
        await drivers.migrateLibsql(client);
        return drivers.createLibsqlStore(client);
      },
    };
  },
  async "a driver of the host"() {
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
    const driver = { read: batch, write: batch, close: async () => {} };
    return {
      run: async (sql) => runAll([{ text: sql, values: [] }])[0] ?? [],
      async open(drivers) {
        await drivers.migrate(driver);
        return drivers.createSqlStore(driver);
      },
    };
  },
  async "a Durable Object"() {
    const name = randomUUID();
    return {
      run: (sql) => objects.ask(name, { sql }),
      async open(drivers) {
        const call = (method: "put" | "listGroupMembers" | "close") => async (argument?: unknown) =>
          (await objects.ask(name, { isNext: drivers === next, method, argument }))[0];
        await call("close")();
        return { put: call("put"), listGroupMembers: call("listGroupMembers"), close: call("close") } as BundledStore;
      },
    };
  },
};

for (const engine of Object.keys(fileEngines)) {
  databases[`a file with ${engine}`] = async () => {
    const path = `${temporaryFolder()}/im.db`;
    return {
      run: async (sql) => onFile(path, sql),
      async open({ fileEngines }) {
        const store = fileEngines[engine]?.({ path, adopt: true });
        if (store === undefined) throw new Error(`there is no ${engine}`);
        return store;
      },
    };
  };
}

/** Tables as chat servers have them. */
const tables = ["users", "groups", "group_members", "conversations", "lists", "documents"];

const versions = "SELECT version FROM im_admin_schema_version";

const userIDs = Array.from({ length: 100 }, (_, index) => `u${100 + index}`);

const records = {
  users: [{ userID: "u150", nickname: "Ann" }],
  groups: [{ groupID: "g" }],
  groupMembers: userIDs.map((userID) => ({ groupID: "g", userID })),
};

describe.each(Object.entries(databases))("%s", (_, prepare) => {
  it("gets our tables beside those of a chat server, which stay as they are", async () => {
    const { run, open } = await prepare();
    for (const table of tables) {
      await run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT)`);
      await run(`INSERT INTO ${table} (name) VALUES ('kept')`);
    }
    const ofHost =
      "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'im\\_admin\\_%' ESCAPE '\\'";
    const before = await run(ofHost);
    await (await open(current)).close();
    await (await open(current)).close();
    expect(await run(ofHost)).toEqual(before);
    for (const table of tables) expect(await run(`SELECT id, name FROM ${table}`)).toEqual([{ id: 1, name: "kept" }]);
    expect(await run(versions)).toEqual([{ version: schemaVersion }]);
  });

  it("is refused if its version has been lost, and does not change", async () => {
    const { run, open } = await prepare();
    await (await open(current)).close();
    await run("DROP TABLE im_admin_schema_version");
    const all = "SELECT name, sql FROM sqlite_schema ORDER BY name";
    const before = await run(all);
    await expect(open(current)).rejects.toThrow(
      "of im-admin, but im_admin_schema_version does not say which version it has",
    );
    expect(await run(all)).toEqual(before);
  });

  it("gets the next version, in which all records are listed, and is refused to the version before", async () => {
    const { run, open } = await prepare();
    const store = await open(current);
    await store.put(records);
    await store.close();
    const nextStore = await open(next);
    const page = { groupID: "g", keyword: "", offset: 50, limit: 1 };
    expect(await nextStore.listGroupMembers(page)).toMatchObject({
      total: 100,
      items: [{ userID: "u150", nickname: "Ann" }],
    });
    await nextStore.put({ groupMembers: [{ groupID: "g", userID: "u", nickname: "Bob" }] });
    expect(await nextStore.listGroupMembers({ ...page, keyword: "an", offset: 0 })).toMatchObject({ total: 1 });
    expect(await nextStore.listGroupMembers(page)).toMatchObject({ total: 101, items: [{ userID: "u149" }] });
    await nextStore.close();
    await (await open(next)).close();
    expect(await run("SELECT title FROM im_admin_users")).toEqual([{ title: "none" }]);
    const before = await run("SELECT sql FROM sqlite_schema");
    await expect(open(current)).rejects.toThrow(
      `its schema has version ${schemaVersion + 1}, and this im-admin knows versions up to ${schemaVersion}: use the newer im-admin that made it`,
    );
    expect(await run("SELECT sql FROM sqlite_schema")).toEqual(before);
    expect(await run(versions)).toEqual([{ version: schemaVersion + 1 }]);
  });
});

/** A file with a table of a host. */
function fileOfHost(): string {
  const path = join(temporaryFolder(), "host.db");
  makeFile(path, "CREATE TABLE host (name TEXT); INSERT INTO host VALUES ('kept')");
  return path;
}

/** A file with the records, and with the schema of this version. */
async function fileOfRecords(): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put(records);
  await store.close();
  return path;
}

/** Starts a process that opens the files that it is sent. */
async function opener() {
  const child = fork(new URL("../../../children/sqliteOpen.mjs", import.meta.url), [nextDrivers]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

it("gets each version once where two processes open a file at once", async () => {
  const children = await Promise.all([opener(), opener()]);
  for (let attempt = 0; attempt < rounds(20); attempt += 1) {
    for (const path of [join(temporaryFolder(), "new.db"), fileOfHost(), await fileOfRecords()]) {
      const answers = children.map((child) => once(child, "message"));
      for (const child of children) child.send({ path, adopt: path.endsWith("host.db"), threads: 0 });
      expect(await Promise.all(answers)).toEqual([
        ["done", undefined],
        ["done", undefined],
      ]);
      expect(onFile(path, versions)).toEqual([{ version: schemaVersion + 1 }]);
      expect(onFile(path, "PRAGMA application_id")).toEqual([{ application_id: 1768767844 }]);
    }
  }
});

it("gets each version once where several Workers migrate a database of D1 at once", async () => {
  await d1.dropAll();
  await Promise.all([1, 2, 3].map(() => migrateD1(d1.database)));
  expect(await d1.run(versions)).toEqual([{ version: schemaVersion }]);
  await Promise.all([1, 2, 3].map(() => next.migrateD1(d1.database)));
  expect(await d1.run(versions)).toEqual([{ version: schemaVersion + 1 }]);
});

it("gets the next version once where another process has brought it there in the meantime", async () => {
  const path = await fileOfRecords();
  const child = fork(new URL("../../../children/sqliteHold.mjs", import.meta.url), [path, "300"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.send([nextText, "INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g', 'late')"]);
  await once(child, "message");
  const store = next.openSqliteStore({ path });
  onTestFinished(() => store.close());
  expect(await store.listGroupMembers({ groupID: "g", keyword: "", offset: 0, limit: 1 })).toMatchObject({
    total: 101,
  });
});

it("is not made newer by who only reads", async () => {
  const path = await fileOfRecords();
  const before = readFileSync(path);
  expect(() => next.openSqliteStore({ path, readonly: true })).toThrow(
    `it does not have schema version ${schemaVersion + 1} yet, and it is opened for reading only: open it once for writing`,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("tells of each step, and of none where the schema is current", async () => {
  const path = fileOfHost();
  const told: [number, number][] = [];
  await openSqliteDatabase({ path, adopt: true }, (...step) => told.push(step)).close();
  const [[, steps] = [0, 0]] = told;
  expect(steps).toBeGreaterThan(40);
  expect(told).toEqual(Array.from({ length: steps }, (_, index) => [index + 1, steps]));
  await openSqliteDatabase({ path }, (...step) => told.push(step)).close();
  expect(told).toHaveLength(steps);
});

it("stays byte for byte as it was where the migration fails half-way", () => {
  const path = fileOfHost();
  const before = readFileSync(path);
  expect(() =>
    openSqliteDatabase({ path, adopt: true }, (done) => {
      if (done === 5) throw new Error("the disk is full");
    }),
  ).toThrow(`cannot open the database ${path}: the disk is full`);
  expect(readFileSync(path).equals(before)).toBe(true);
});

describe("a database with a map", () => {
  const map = {
    groups: { from: "rooms", key: { groupID: "id" } },
    groupMembers: { from: "members", key: { groupID: "room", userID: "person" } },
  } as const;
  const tables = `
    CREATE TABLE rooms (id TEXT PRIMARY KEY);
    CREATE TABLE members (room TEXT, person TEXT, PRIMARY KEY (room, person));
    INSERT INTO rooms VALUES ('g');
    INSERT INTO members VALUES ('g', 'u1')`;

  it("gets the next version as a file, with the lists and triggers of its map", async () => {
    const path = fileOfHost();
    makeFile(path, tables);
    const database = openSqliteDatabase({ path, adopt: true });
    await installMap(database, map);
    await database.close();
    const store = next.openSqliteStore({ path });
    onTestFinished(() => store.close());
    const page = { groupID: "g", keyword: "", offset: 0, limit: 1 };
    expect(await store.listGroupMembers(page)).toMatchObject({ total: 1, items: [{ userID: "u1" }] });
    makeFile(path, "INSERT INTO members VALUES ('g', 'u2')");
    expect(await store.listGroupMembers(page)).toMatchObject({ total: 2 });
    expect(onFile(path, versions)).toEqual([{ version: schemaVersion + 1 }]);
  });

  it("gets the next version as a file while one of its rows cannot be read", async () => {
    const path = fileOfHost();
    makeFile(
      path,
      `${tables};
      ALTER TABLE members ADD joined_at INTEGER DEFAULT 5;
      INSERT INTO rooms VALUES ('h');
      INSERT INTO members VALUES ('h', 'u1', 7), ('h', 'u2', -9223372036854775808)`,
    );
    const database = openSqliteDatabase({ path, adopt: true });
    const groupMembers = { ...map.groupMembers, fields: { joinTime: "abs(joined_at)" } };
    await installMap(database, { ...map, groupMembers });
    await database.close();
    const store = next.openSqliteStore({ path });
    onTestFinished(() => store.close());
    const page = { keyword: "", offset: 0, limit: 9 };
    expect(await store.listGroupMembers({ ...page, groupID: "g" })).toMatchObject({ total: 1 });
    const broken = "groupMembers h, u2: joinTime cannot be read (integer overflow)";
    await expect(store.listGroupMembers({ ...page, groupID: "h" })).rejects.toThrow(broken);
    makeFile(path, "UPDATE members SET joined_at = 9 WHERE person = 'u2'");
    expect(await store.listGroupMembers({ ...page, groupID: "h" })).toMatchObject({ total: 2 });
    expect(onFile(path, versions)).toEqual([{ version: schemaVersion + 1 }]);
  });

  it("is refused elsewhere, with what to do", async () => {
    const client = createClient({ url: `file:${temporaryFolder()}/host.db` });
    onTestFinished(() => client.close());
    await migrateLibsql(client);
    await client.executeMultiple(tables);
    for (const statement of tablesSql(map, { engine: "sqlite" }).install) await client.execute(statement);
    await expect(next.migrateLibsql(client)).rejects.toThrow(
      `it has not schema version ${schemaVersion + 1} yet: run the "remove" statements of the im-admin that has mapped them, migrate, and run the "install" statements of this one`,
    );
    expect((await client.execute(versions)).rows).toMatchObject([{ version: schemaVersion }]);
  });
});
