/** The engines of Bun and Deno, and a command with Node's engine on them. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { truncateSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openHistoryFile } from "../../../../adapters/node.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { schemaVersion } from "../../../../src/stores/sqlite/schema/migrations.js";
import { cli } from "../../../helpers/cliProcess.js";
import { expectRight } from "../../../helpers/corruptedFile.js";
import { brokenFiles, foreignFiles, makeFile, stateOf } from "../../../helpers/foreignFiles.js";
import { bundleNext } from "../../../helpers/nextVersion.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = `${root}node_modules/.cache/im-admin-test`;
const command = (name: string) => `${root}test/deep/node_modules/.bin/${name}`;
const built = new URL("../../../../dist/src/stores/drivers/", import.meta.url).href;

beforeAll(async () => {
  await build({
    entryPoints: [`${root}test/children/engine.ts`],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    loader: { ".sql": "text" },
    logLevel: "error",
  });
});

describe.each([
  ["Bun", "bunSqlite.js", "openBunSqliteStore", ["bun", "run"]],
  ["Deno", "nodeSqlite.js", "openNodeSqliteStore", ["deno", "run", "--allow-all"]],
])("%s", (_runtime, module, name, [runtime = "", ...flags]) => {
  /** Gives what the engine's store tells of what is asked. */
  async function told(asked: string): Promise<unknown[]> {
    const args = [...flags, `${folder}/engine.mjs`, built + module, name, asked];
    const { stdout } = await promisify(execFile)(command(runtime), args, { maxBuffer: 2 ** 26 });
    const answer = JSON.parse(stdout);
    expect(answer.names).toEqual([name]);
    return answer.told;
  }
  const openEach = (options: object[]) => told(JSON.stringify(options));

  it("passes all cases, and its file is right", async () => {
    const path = `${temporaryFolder()}/im.db`;
    expect(await told(path)).toEqual([]);
    await expectRight(path);
  });

  it.each([false, true])("leaves files alone that are none of ours (readonly: %s)", async (readonly) => {
    const files = Object.entries({ ...foreignFiles, ...brokenFiles }).map(([what, [make, sentence]]) => {
      const folder = temporaryFolder();
      make(`${folder}/host.db`);
      return { what, path: `${folder}/host.db`, folder, sentence, before: stateOf(folder) };
    });
    const answers = await openEach(files.map(({ path }) => ({ path, readonly })));
    for (const [index, { what, path, folder, sentence, before }] of files.entries()) {
      expect([what, answers[index]]).toEqual([what, expect.stringContaining(`cannot open the database ${path}: `)]);
      expect([what, answers[index]]).toEqual([what, expect.stringContaining(sentence)]);
      expect([what, stateOf(folder)]).toEqual([what, before]);
    }
  });

  it("adopts a file, and makes a new one that only its owner may read", async () => {
    const folder = temporaryFolder();
    const [host, chat] = [`${temporaryFolder()}/host.db`, `${temporaryFolder()}/chat.db`];
    makeFile(host, "CREATE TABLE host (name TEXT)");
    makeFile(chat, "CREATE TABLE users (id INTEGER PRIMARY KEY)");
    const answers = await openEach([
      { path: host, adopt: true },
      { path: host },
      { path: chat, adopt: true },
      { path: `${folder}/new.db` },
      { path: folder },
      { path: ":memory:", adopt: "yes" },
    ]);
    expect(answers).toEqual([
      "opened",
      "opened",
      "opened",
      "opened",
      `cannot open the database ${folder}: it is a folder: name a file in it, such as im.db`,
      "adopt must be true or false",
    ]);
    expect(stateOf(folder)).toEqual({ "new.db": expect.stringMatching(/^600 /) });
    await expectRight(host);
    await expectRight(chat);
    await expectRight(`${folder}/new.db`);
  });
});

it("Bun brings a file to the next version", async () => {
  const path = `${temporaryFolder()}/im.db`;
  await openSqliteStore({ path }).close();
  const bunSqlite = 'export * from "./src/stores/drivers/bunSqlite.ts"';
  const module = `${folder}/nextBunSqlite.mjs`;
  writeFileSync(module, await bundleNext(bunSqlite, { format: "esm", platform: "node", external: ["bun:*"] }));
  const asked = JSON.stringify([{ path }]);
  const args = ["run", `${folder}/engine.mjs`, module, "openBunSqliteStore", asked];
  const { stdout } = await promisify(execFile)(command("bun"), args);
  expect(JSON.parse(stdout).told).toEqual(["opened"]);
  const connection = new BetterSqlite3(path);
  onTestFinished(() => void connection.close());
  expect(
    connection.prepare("SELECT user_id, title, version FROM im_admin_users, im_admin_schema_version").all(),
  ).toEqual([{ user_id: "u1", title: "none", version: schemaVersion + 1 }]);
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
  const child = spawn(command("bun"), ["-e", program, `${built}bunSqlite.js`, path]);
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

it("the command line does with node:sqlite where better-sqlite3 cannot be loaded", async () => {
  // Deno cannot load what is compiled for Node.
  const path = `${temporaryFolder()}/im.db`;
  const run = (...flags: string[]) =>
    promisify(execFile)(command("deno"), ["run", "--allow-all", cli, ...flags, "--db", path]);
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

it.each([
  ["Deno", ["deno", "eval"]],
  ["Bun", ["bun", "-e"]],
])("%s keeps a history with node:sqlite, which Node goes on with", async (_, [runtime = "", flag = ""]) => {
  const path = `${temporaryFolder()}/history.db`;
  const entry = (requestID: string) =>
    JSON.stringify({ ...{ entry: "begun", requestID, time: 1, adminUserID: "ann", operationID: "" }, ...conversation });
  const conversation = {
    conversationID: "c",
    conversationType: 3,
    userID: "",
    groupID: "g",
    fields: {},
    userIDs: ["u1"],
  };
  const program = `
    const { openHistoryFile } = await import("${new URL("../../../adapters/node.js", built).href}");
    const history = await openHistoryFile("${path}");
    await history.append([${entry("r1")}]);
    await history.append([{ entry: "ended", requestID: "r1", time: 2, outcome: "done", errCode: 0, changed: 1 }]);
    const refusal = await history.append([${entry("r1")}]).catch(({ message }) => message);
    console.log(JSON.stringify([refusal, await history.list({ offset: 0, limit: 9 }, { userID: "u1" })]));
    await history.close();`;
  const { stdout } = await promisify(execFile)(command(runtime), [flag, program]);
  const history = await openHistoryFile(path);
  const page = await history.list({ offset: 0, limit: 9 });
  expect(JSON.parse(stdout)).toEqual(["a history only grows", page]);
  expect(page).toMatchObject({ total: 1, items: [{ settingID: "r1", users: 1, changed: 1, outcome: "done" }] });
  await history.append([JSON.parse(entry("r2"))]);
  expect((await history.list({ offset: 0, limit: 9 })).total).toBe(2);
  await history.close();
});
