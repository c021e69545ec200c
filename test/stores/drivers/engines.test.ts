import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { build, transform } from "esbuild";
import { Miniflare } from "miniflare";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createDurableObjectStore } from "../../../src/stores/drivers/durableObject.js";
import { createLibsqlStore, migrateLibsql } from "../../../src/stores/drivers/libsql.js";
import { createSqlStore, migrate } from "../../../src/stores/drivers/sql.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { cli, imAdmin } from "../../helpers/cliProcess.js";
import { engineFailures } from "../../helpers/engineCases.js";
import { brokenFiles, foreignFiles, makeFile, stateOf } from "../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { bundleWorker, startWorker } from "../../helpers/workerd.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = `${root}node_modules/.cache/im-admin-test`;

beforeAll(async () => {
  await build({
    entryPoints: [`${root}test/children/engine.ts`],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
});

const built = new URL("../../../dist/src/stores/drivers/", import.meta.url).href;

/** The command of each runtime that is there, and what opens a store of its own engine. Node 20 has none. */
const runtimes: [runtime: string, module: string, name: string, command: string[]][] = [
  ["Bun", "bunSqlite.js", "openBunSqliteStore", ["bun", "run"]],
  ["Deno", "nodeSqlite.js", "openNodeSqliteStore", ["deno", "run", "--allow-all"]],
];
if (Number(process.versions.node.split(".")[0]) >= 22) {
  runtimes.push(["Node", "nodeSqlite.js", "openNodeSqliteStore", [process.execPath]]);
}

async function expectRight(path: string): Promise<void> {
  const { stderr } = await imAdmin(["check", "--db", path]);
  expect(stderr).toBe(`${path}: all lists agree with the rows\n`);
}

it.each(runtimes)(
  "%s passes all cases with %s, by %s, and its file is right",
  { timeout: 300_000 },
  async (...runtime) => {
    const [, module, name, [command = "", ...flags]] = runtime;
    const path = `${temporaryFolder()}/im.db`;
    const installed = `${root}node_modules/.bin/${command}`;
    const { stdout } = await promisify(execFile)(
      existsSync(installed) ? installed : command,
      [...flags, `${folder}/engine.mjs`, built + module, name, path],
      { maxBuffer: 2 ** 26 },
    );
    expect(JSON.parse(stdout)).toEqual({ failures: [], names: [name] });
    await expectRight(path);
  },
);

it.each(runtimes)("%s refuses files that are none of ours, by %s, and leaves them as they are", async (...runtime) => {
  const [, module, name, [command = "", ...flags]] = runtime;
  const installed = `${root}node_modules/.bin/${command}`;
  const openEach = async (options: object[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)(existsSync(installed) ? installed : command, [
      ...flags,
      `${root}test/children/openEach.mjs`,
      built + module,
      name,
      JSON.stringify(options),
    ]);
    return JSON.parse(stdout);
  };
  const files = Object.entries({ ...foreignFiles, ...brokenFiles }).map(([what, [make, sentence]]) => {
    const folder = temporaryFolder();
    make(`${folder}/host.db`);
    return { what, path: `${folder}/host.db`, folder, sentence, before: stateOf(folder) };
  });
  for (const readonly of [false, true]) {
    const told = await openEach(files.map(({ path }) => ({ path, readonly })));
    for (const [index, { what, path, folder, sentence, before }] of files.entries()) {
      expect([what, told[index]]).toEqual([what, expect.stringContaining(`cannot open the database ${path}: `)]);
      expect([what, told[index]]).toEqual([what, expect.stringContaining(sentence)]);
      expect([what, stateOf(folder)]).toEqual([what, before]);
    }
  }
  const folder = temporaryFolder();
  const taken = `${temporaryFolder()}/host.db`;
  makeFile(taken, "CREATE TABLE users (id INTEGER PRIMARY KEY)");
  const told = await openEach([
    { path: files[0]?.path, adopt: true },
    { path: files[0]?.path },
    { path: taken, adopt: true },
    { path: `${folder}/new.db` },
    { path: folder },
    { path: ":memory:", adopt: "yes" },
  ]);
  expect(told).toEqual([
    "opened",
    "opened",
    `cannot open the database ${taken}: its table users has a name that im-admin needs: give im-admin a database of its own, or rename yours`,
    "opened",
    `cannot open the database ${folder}: it is a folder: name a file in it, such as im.db`,
    "adopt must be true or false",
  ]);
  expect(stateOf(folder)).toEqual({ "new.db": expect.stringMatching(/^600 /) });
  await expectRight(`${files[0]?.path}`);
  await expectRight(`${folder}/new.db`);
});

it("libSQL passes all cases, and its file is right", { timeout: 300_000 }, async () => {
  const files = temporaryFolder();
  let count = 0;
  const open = async (path = `${files}/${count++}.db`) => {
    const client = createClient({ url: `file:${path}` });
    onTestFinished(() => client.close());
    await migrateLibsql(client);
    return createLibsqlStore(client);
  };
  const path = `${files}/kept.db`;
  expect(await engineFailures(open, () => open(path))).toEqual([]);
  await expectRight(path);
});

it("libSQL answers the same where its client gives integers as text", async () => {
  const path = `${temporaryFolder()}/im.db`;
  const client = createClient({ url: `file:${path}`, intMode: "string" });
  onTestFinished(() => client.close());
  await migrateLibsql(client);
  const store = createLibsqlStore(client);
  const conversation = { ownerUserID: "u", conversationID: "c", conversationType: 3, isPinned: true, recvMsgOpt: 2 };
  await store.put({ users: [{ userID: "u" }], conversations: [conversation] });
  expect(await store.conversations("u")).toMatchObject([conversation]);
  expect(await store.listBlacks({ ownerUserID: "u", offset: 0, limit: 1 })).toEqual({ total: 0, items: [] });
});

it("Bun waits with the opening for another process that has locked the file", async () => {
  const path = `${temporaryFolder()}/im.db`;
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.exec("CREATE TABLE host (name TEXT); BEGIN EXCLUSIVE");
  const program = `const { openBunSqliteStore } = await import(process.argv[1]);
    console.log("ready");
    const store = openBunSqliteStore({ path: process.argv[2], adopt: true });
    console.log("opened");
    await store.close();`;
  const child = spawn(`${root}node_modules/.bin/bun`, ["-e", program, `${built}bunSqlite.js`, path]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (data) => {
    printed += data;
    // By then it has been refused the file, if it does not wait.
    if (printed === "ready\n") setTimeout(() => host.exec("COMMIT"), 500);
  });
  await once(child, "close");
  expect(printed).toBe("ready\nopened\n");
});

it("a Durable Object passes all cases", { timeout: 300_000 }, async () => {
  const { code } = await bundleWorker(
    'export * from "./test/children/durableObject.ts"; export { default } from "./test/children/durableObject.ts"',
  );
  const miniflare = new Miniflare({
    modules: true,
    script: code,
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { ENGINE: { className: "Engine", useSQLite: true } },
  });
  onTestFinished(() => miniflare.dispose());
  const response = await miniflare.dispatchFetch("http://localhost/");
  expect(await response.json()).toEqual([]);
});

it("D1 passes all cases", { timeout: 300_000 }, async () => {
  const worker = await startWorker();
  onTestFinished(() => worker.stop());
  expect(await engineFailures(() => worker.emptyStore())).toEqual([]);
});

it("better-sqlite3 passes all cases, and its file is right", { timeout: 300_000 }, async () => {
  const path = `${temporaryFolder()}/im.db`;
  const open = (path: string) => async () => openSqliteStore({ path });
  expect(await engineFailures(open(":memory:"), open(path))).toEqual([]);
  await expectRight(path);
});

it("the driver in docs/engines.md passes all cases", { timeout: 300_000 }, async () => {
  const [, code = ""] = /```ts\n(.*?)```/s.exec(readFileSync(`${root}docs/engines.md`, "utf8")) ?? [];
  // Inside the package, so that it resolves its own name.
  const folder = mkdtempSync(`${root}.docs-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(`${folder}/driver.mjs`, (await transform(code, { loader: "ts" })).code);
  const { driver } = await import(`${folder}/driver.mjs`);
  const failures = await engineFailures(async () => {
    const database = driver(new BetterSqlite3(":memory:"));
    await migrate(database);
    return createSqlStore(database);
  });
  expect(failures).toEqual([]);
});

it.each([undefined, {}, { read() {}, write() {} }])("im-admin/sql refuses %o, which is no driver", async (database) => {
  expect(() => createSqlStore(database as never)).toThrow("database must have the method");
  await expect(migrate(database as never)).rejects.toThrow("database must have the method");
  expect(() => createLibsqlStore(database as never)).toThrow("client must be a client of @libsql/client");
  expect(() => createDurableObjectStore(database as never)).toThrow("storage must be the ctx.storage");
});

it("the command line does with node:sqlite where better-sqlite3 cannot be loaded", async () => {
  // Deno cannot load what is compiled for Node.
  const path = `${temporaryFolder()}/im.db`;
  const run = (...flags: string[]) =>
    promisify(execFile)(`${root}node_modules/.bin/deno`, ["run", "--allow-all", cli, ...flags, "--db", path]);
  const records = temporaryFolder();
  writeFileSync(`${records}/groups.ndjson`, '{"groupID":"g1"}\n');
  expect((await run("import", records)).stderr).toContain("groups.ndjson: 1 groups imported");
  expect((await run("check")).stderr).toBe(`${path}: all lists agree with the rows\n`);
  await expectRight(path);
  truncateSync(path, 40_960);
  await expect(run("check")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the database cannot be read: database disk image is malformed: restore a backup"),
  });
  writeFileSync(path, "Dear reader");
  await expect(run("check")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`cannot check ${path}: it is no SQLite database, or it is encrypted`),
  });
});
