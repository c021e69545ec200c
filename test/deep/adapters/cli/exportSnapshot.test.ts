/** An export is of one moment, whatever others write meanwhile, and takes little memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type BundledStore, openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { cli } from "../../../helpers/cliProcess.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await migratePostgres(server.pool);
});
afterAll(() => server.stop());

/** Starts an export. It waits for its reader as soon as a pipe is full. */
function exporting(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(process.execPath, [cli, "export", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const stderr = text(child.stderr);
  return {
    /** Resolves when the first rows have come, which are not read yet. */
    begun: () => once(child.stdout, "readable"),
    /** Reads all rows, and waits for the end. */
    async rest() {
      const stdout = await text(child.stdout);
      const [status] = await ended;
      return { status, stdout, stderr: await stderr };
    },
  };
}

const members = Array.from({ length: 5000 }, (_, index) => ({
  groupID: "g1",
  userID: `u${String(index).padStart(4, "0")}`,
  roleLevel: 20,
  joinTime: index,
}));

const opened: [string, () => Promise<{ store: BundledStore; args: string[] }>][] = [
  [
    "a file",
    async () => {
      const path = join(temporaryFolder(), "im.db");
      return { store: openSqliteStore({ path }), args: ["--db", path] };
    },
  ],
  ["PostgreSQL", async () => ({ store: createPostgresStore({ pool: server.pool }), args: ["--db", server.url] })],
];

describe.each(opened)("an export from %s", (_, open) => {
  it("has the rows of the moment when it began, in their order, although others write meanwhile", async () => {
    const { store, args } = await open();
    onTestFinished(() => store.close());
    await store.put({ groups: [{ groupID: "g1" }], groupMembers: members });
    const run = exporting([...args, "--list", "members", "--group", "g1"]);
    await run.begun();
    // Rows go, change their names and their places, and come before all others. All of that is committed.
    await store.remove({ groupMembers: members.filter((_, index) => index % 3 === 0) });
    await store.put({
      groupMembers: [
        ...members.filter((_, index) => index % 3 === 1).map((member) => ({ ...member, nickname: "changed" })),
        ...members.filter((_, index) => index % 3 === 2).map((member) => ({ ...member, joinTime: 9999 })),
        ...Array.from({ length: 2000 }, (_, index) => ({ groupID: "g1", userID: `new${index}`, roleLevel: 100 })),
      ],
    });
    expect((await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1 }))?.total).toBe(5333);
    const { status, stdout, stderr } = await run.rest();
    expect([status, stderr]).toEqual([0, "5,000 members exported\n"]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ userID, joinTime, nickname }) => ({ userID, joinTime, nickname }))).toEqual(
      members.map(({ userID, joinTime }) => ({ userID, joinTime, nickname: "" })),
    );
  });
});

const ours = "FROM pg_stat_activity WHERE application_name = 'im-admin' AND datname = current_database()";

it.each([
  [
    "cuts it off",
    "",
    // By then, the export waits for its reader.
    `SELECT count(pg_terminate_backend(pid)) = 1 AS is_cut ${ours}
      AND state = 'idle in transaction' AND state_change < clock_timestamp() - interval '500 ms'`,
    "terminating connection due to administrator command",
  ],
  [
    "lets no transaction wait",
    "-c idle_in_transaction_session_timeout=500",
    `SELECT count(*) = 0 AS is_cut ${ours}`,
    "terminating connection due to idle-in-transaction timeout: raise the limit of time that the server or this user has for it, and try again",
  ],
])("says why it has not come to an end, if the server %s", async (_, PGOPTIONS, isCut, reason) => {
  const store = createPostgresStore({ pool: server.pool });
  await store.put({ groups: [{ groupID: "cut" }], groupMembers: members.map((one) => ({ ...one, groupID: "cut" })) });
  const run = exporting(["--db", server.url, "--list", "members", "--group", "cut"], { PGOPTIONS });
  await run.begun();
  await expect.poll(async () => (await server.pool.query(isCut)).rows[0].is_cut).toBe(true);
  const { status, stdout, stderr } = await run.rest();
  expect(status).toBe(1);
  expect(stderr.replace(/postgres:\S+:/, "DATABASE:")).toBe(`im-admin: cannot use the database DATABASE: ${reason}\n`);
  expect(stdout.split("\n").length).toBeLessThan(5000);
});

it("takes little memory for a long list", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put({ groups: [{ groupID: "long" }] });
  const ex = "x".repeat(4000);
  await store.put({
    groupMembers: (function* () {
      for (let index = 0; index < 50_000; index += 1) yield { groupID: "long", userID: `u${index}`, ex };
    })() as never,
  });
  await store.close();
  const few = { NODE_OPTIONS: "--max-old-space-size=48" };
  const run = exporting(["--db", path, "--list", "members", "--group", "long", "--format", "csv"], few);
  const { status, stdout, stderr } = await run.rest();
  expect([status, stderr]).toEqual([0, "50,000 members exported\n"]);
  expect(stdout.length).toBeGreaterThan(200_000_000);
});
