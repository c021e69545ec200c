import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../../../../adapters/auth.js";
import { imAdmin, post, serve, start } from "../../../helpers/cliProcess.js";
import { sendOverHttp } from "../../../helpers/http/send.js";
import { freePort } from "../../../helpers/http/sockets.js";
import { account, driverModule, newOpenim, withMongodb } from "../../../helpers/openim/followed.js";
import { startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const secret = "a-secret-of-some-length";
const pagination = { pageNumber: 1, showNumber: 100 };
const token = await signAdminToken({ secret, userID: "boss" });

/** Starts a server that follows. */
async function serveFollowing(from: string, db: string, ...flags: string[]) {
  const environment = { ...withMongodb(), IM_ADMIN_FOLLOW: from };
  const server = await serve(["--secret", secret, "--admin", "boss", "--db", db, ...flags], environment);
  return {
    ...server,
    accounts: () => post(`${server.url}/user/search_notification_account`, token, { pagination }),
    health: async () => {
      const response = await fetch(`${server.url}/healthz`);
      return { code: response.status, ...((await response.json()) as { following: { isFailing: boolean } }) };
    },
  };
}

function startFollowing(from: string, db: string, module?: string) {
  return start(["follow", "--db", db, "--json"], { ...withMongodb(module), IM_ADMIN_FROM: from });
}

it("goes on in another thread if one ends, and counts what both have done", async () => {
  const { log, url: from, db, endThreads } = newOpenim();
  log.insert("user", account(1));
  const { accounts, health, wrote, stop } = await serveFollowing(from, db);
  await expect.poll(accounts).toMatchObject({ data: { total: 1 } });
  log.insert("user", account(2));
  await expect.poll(accounts).toMatchObject({ data: { total: 2 } });
  const restore = endThreads();
  await wrote("stderr", /"level":50,.*OpenIM is not followed: its thread has ended; it is tried again in 1 seconds"/);
  await expect.poll(health).toMatchObject({ code: 200, following: { isFailing: true, copies: 1, changes: 1 } });
  log.insert("user", account(3));
  expect(await accounts()).toMatchObject({ data: { total: 2 } });
  restore();
  await expect.poll(accounts).toMatchObject({ data: { total: 3 } });
  await expect.poll(health).toMatchObject({ following: { isFailing: false, copies: 1, changes: 2 } });
  expect((await stop()).status).toBe(0);
});

it("lets all processes tell what the first one follows", async () => {
  const { log, url: from, db } = newOpenim();
  log.insert("user", account(1));
  const port = await freePort();
  const flags = ["--processes", "2", "--metrics-port", String(port)];
  const { accounts, health, stop } = await serveFollowing(from, db, ...flags);
  await expect.poll(accounts).toMatchObject({ data: { total: 1 } });
  log.insert("user", account(2));
  for (let call = 0; call < 8; call += 1) {
    await expect.poll(health).toMatchObject({ code: 200, following: { copies: 1, changes: 1 } });
  }
  const metrics = async () => (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split("\n");
  await expect.poll(metrics).toContain("im_admin_follow_changes_total 1");
  const lines = await metrics();
  for (const line of ["copies_total 1", "mended_total 0", "left_out_total 0", "failing 0"]) {
    expect(lines).toContain(`im_admin_follow_${line}`);
  }
  expect(lines.find((line) => line.startsWith("im_admin_copy_age_seconds"))).toMatch(/ [0-9]$/);
  const { status, stderr } = await stop();
  expect(status).toBe(0);
  expect(stderr.match(/"following OpenIM's changes"/g)).toHaveLength(1);
});

it("tells the same of following, whichever process answers, also one that has taken the place of another", async () => {
  const { log, url: from, db } = newOpenim();
  log.insert("user", account(1));
  const flags = ["--processes", "2", "--log-level", "debug"];
  const { url, accounts, written, wrote, stop } = await serveFollowing(from, db, ...flags);
  await expect.poll(accounts).toMatchObject({ data: { total: 1 } });
  const told: object[] = [];
  /** The processes that have answered, after one more request on a connection of its own. */
  async function askOnce(): Promise<number> {
    const { text } = await sendOverHttp(Number(new URL(url).port), { method: "GET", path: "/healthz", headers: {} });
    told.push(JSON.parse(text).following);
    const lines = written.stderr.split("\n").slice(0, -1);
    const pids = lines.map((line) => JSON.parse(line)).filter(({ path }) => path === "/healthz");
    return new Set(pids.map(({ pid }) => pid)).size;
  }
  const lastTold = async () => {
    await askOnce();
    return told.at(-1);
  };
  await expect.poll(askOnce).toBe(2);
  await expect.poll(lastTold).toMatchObject({ copies: 1 });
  told.splice(0);
  const [, pid] = /"pid":(\d+)[^\n]*"\/healthz"/.exec(written.stderr) ?? [];
  process.kill(Number(pid), "SIGKILL");
  // A connection that is handed to the one that dies is never answered.
  await wrote("stderr", /a process has ended, and another takes its place/);
  await expect.poll(askOnce).toBe(3);
  expect(new Set(told.map((following) => JSON.stringify(following)))).toEqual(
    new Set(['{"isCopying":false,"isFailing":false,"copies":1,"changes":0,"mended":0,"leftOut":0,"passedOver":0}']),
  );
  await stop();
});

it("serves nothing older than --max-copy-age, and goes on trying", async () => {
  const { url: from, db } = newOpenim();
  const metricsPort = String(await freePort());
  const flags = ["--max-copy-age", "30s", "--metrics-port", metricsPort];
  const { accounts, health, wrote, stop } = await serveFollowing(`${from}&code=40573`, db, ...flags);
  await wrote(
    "stderr",
    /this MongoDB is no replica set.*or let a timer run im-admin import; it is tried again in 1 seconds/,
  );
  await wrote("stderr", /it is tried again in 2 seconds/);
  // A new try does not count as success.
  const failing = new Set();
  const retried = wrote("stderr", /it is tried again in 4 seconds/);
  const isRetried = () => Promise.race([retried.then(() => true), delay(10).then(() => false)]);
  while (!(await isRetried())) failing.add((await health()).following.isFailing);
  expect(failing).toEqual(new Set([true]));
  expect(await health()).toEqual({
    code: 503,
    status: "the copy is older than --max-copy-age allows",
    // Nothing was ever copied.
    copyAgeSeconds: expect.toSatisfy((age) => age > 1_700_000_000),
    following: { isCopying: false, isFailing: true, copies: 0, changes: 0, mended: 0, leftOut: 0, passedOver: 0 },
  });
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^im_admin_copy_age_seconds 1[7-9]\d{8}$/m);
  expect(metrics).toMatch(/^im_admin_follow_failing 1$/m);
  expect(await accounts()).toMatchObject({ errCode: 500 });
  const { stderr } = await stop();
  expect(stderr).toContain("the copy has never been whole: im-admin follow or im-admin import --replace fills it");
  for (const part of ["half", "example.org"]) expect(stderr).not.toContain(part);
});

it.each([
  [40573, "this MongoDB is no replica set, and only a replica set tells of changes"],
  [13, "MongoDB gives this user no right to read OpenIM's database and to follow its changes"],
  [18, "MongoDB does not accept this user and password"],
])("im-admin follow ends if MongoDB answers %i", async (code, sentence) => {
  const { url, db } = newOpenim();
  const { status, stdout, stderr } = await startFollowing(`${url}&code=${code}`, db).ended;
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`\nim-admin: ${sentence}`);
  for (const part of ["half", "secret", "example.org"]) expect(stderr).not.toContain(part);
});

it("sets no conversations in a copy that another process follows, until an import has filled it", async () => {
  const { log, url: from, db } = newOpenim();
  log.insert("user", account(1));
  log.insert("group", { _id: 1, group_id: "g" });
  const { url, stop } = await serve(["--secret", secret, "--admin", "boss", "--db", db]);
  const conversation = { conversationID: "c", conversationType: 3, groupID: "g", isPinned: true };
  const set = () => post(`${url}/conversation/set_conversations`, token, { userIDs: ["n1"], conversation });
  const following = startFollowing(from, db);
  await following.wrote("stderr", /the copy is whole/);
  following.kill("SIGTERM");
  await following.ended;
  const errDlt = "1001 ArgsError: this server keeps no conversations";
  expect(await set()).toMatchObject({ errCode: 1001, errDlt });
  const folder = temporaryFolder();
  writeFileSync(join(folder, "black.json"), "");
  expect((await imAdmin(["import", folder, "--db", db])).status).toBe(0);
  expect(await set()).toMatchObject({ errCode: 0 });
  await stop();
});

it("follows into PostgreSQL", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const { log, url: from } = newOpenim();
  log.insert("user", account(1));
  const { accounts, stdout, stop } = await serveFollowing(from, postgres.url);
  expect(stdout).toMatch(/, from postgres:\/\//);
  await expect.poll(accounts).toMatchObject({ data: { total: 1 } });
  log.insert("user", account(2));
  await expect.poll(accounts).toMatchObject({ data: { total: 2 } });
  expect((await stop()).status).toBe(0);
});

/** A server that speaks something else than MongoDB. */
async function strangeServer(): Promise<number> {
  const server = createServer((socket) => void socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

it.each<[string, string, RegExp, () => Promise<string>]>([
  ["nobody listens", "mongodb", /no MongoDB listens at the host and port/, async () => `127.0.0.1:${await freePort()}`],
  ["something else listens", "mongodb-6", /MongoDB cannot be/, async () => `127.0.0.1:${await strangeServer()}`],
  ["there is no such host", "mongodb", /MongoDB's host name cannot be resolved/, async () => "db.invalid:27017"],
])("im-admin follow tells nothing secret if %s, and ends when it is told to", async (_title, driver, told, host) => {
  const at = await host();
  const { db } = newOpenim();
  const following = startFollowing(`mongodb://im:half%40secret@${at}/openim_v3`, db, driverModule(driver));
  await following.wrote("stderr", /warning: .*; it is tried again\n/);
  expect(following.written.stderr).toMatch(told);
  const begun = performance.now();
  following.kill("SIGTERM");
  const { status, stdout, stderr } = await following.ended;
  expect([status, stdout]).toEqual([0, '{"copies":0,"changes":0,"mended":0,"leftOut":0,"passedOver":0}\n']);
  // The driver would look for its servers for 30 seconds.
  expect(performance.now() - begun).toBeLessThan(20_000);
  for (const part of ["half", "secret", at, "127.0.0.1"]) expect(stderr).not.toContain(part);
});

it("im-admin follow tells nothing secret of a URL whose servers the DNS does not name", async () => {
  const url = "mongodb+srv://im:half%40secret@db.invalid/openim_v3";
  const following = startFollowing(url, newOpenim().db, driverModule("mongodb"));
  await following.wrote("stderr", /warning: MongoDB cannot be reached/);
  following.kill("SIGTERM");
  const { stderr } = await following.ended;
  for (const part of ["half", "secret", "db.invalid"]) expect(stderr).not.toContain(part);
});

it.each(
  ["mongodb", "mongodb-6"].flatMap((driver) =>
    [
      "mongodb://im:half%zzsecret@db.invalid/openim_v3",
      "mongodb://im:half#secret@db.invalid/openim_v3",
      "mongodb://im:half@secret@db.invalid/openim_v3",
      "mongodb://db.invalid/openim_v3?secret=half",
      "mongodb://im:secret@db.invalid:half/openim_v3",
    ].map((url) => [driver, url] as const),
  ),
)("with the driver %s, im-admin follow refuses %s without its parts", async (driver, url) => {
  const { status, stderr } = await startFollowing(url, newOpenim().db, driverModule(driver)).ended;
  expect(status).toBe(1);
  expect(stderr).toMatch(/^im-admin: the URL in --from cannot be read: it must be such as mongodb:\/\/user@host/);
  for (const part of ["half", "secret", "db.invalid"]) expect(stderr).not.toContain(part);
});
