import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../../../../adapters/auth.js";
import { importFiles, post, serve, serveHere } from "../../../helpers/cliProcess.js";
import { httpUpstream } from "../../../helpers/http/upstreams.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const secret = "a-secret-of-some-length";
const flags = `--secret ${secret} --admin boss`.split(" ");
const list = "/user/search_notification_account";
const conversations = "/conversation/set_conversations";
const body = { pagination: { pageNumber: 1, showNumber: 3 } };
const users = '{"user_id":"n1","nickname":"News","app_manger_level":3}';
const copied = {
  "user.json": users,
  "group.json": "",
  "group_member.json": "",
  "black.json": "",
  "group_request.json": "",
};
const ofUpstream = { errCode: 0, errMsg: "", errDlt: "from the upstream" };

/** A copy that OpenIM's collections were imported into. */
async function importedCopy() {
  return (await importFiles(copied)).database;
}

/** An upstream that answers success, or hangs up where it is asked for a token. */
const upstreamUrl = () =>
  httpUpstream((request, response) => {
    if (request.url === "/auth/get_admin_token") request.socket.destroy();
    request.resume().on("end", () => response.end(JSON.stringify(ofUpstream)));
  });

/** Starts `im-admin serve` beside an upstream. */
async function serveBeside(db: string, ...more: string[]) {
  const upstream = await upstreamUrl();
  const server = await serve([...flags, "--db", db, "--upstream", upstream, ...more]);
  const token = (userID: string) => signAdminToken({ secret, userID });
  return { ...server, upstream, admin: await token("boss"), user: await token("ann") };
}

it("answers lists, asks OpenIM for the rest of the seven paths, and logs both without tokens", async () => {
  const db = await importedCopy();
  const { url, upstream, stdout, admin, user, wrote, stop } = await serveBeside(db, "--max-copy-age", "1h");
  expect(stdout).toBe(
    `im-admin answers on ${url}, from ${db}\n` +
      `it asks OpenIM at ${upstream} for tokens, set_conversations and the lists that it cannot answer; call OpenIM for all else\n`,
  );
  expect(await post(url + list, admin, body)).toMatchObject({ data: { total: 1 } });
  expect(await post(url + list, user, body)).toStrictEqual(ofUpstream);
  expect(await post(url + list, admin, {})).toStrictEqual(ofUpstream);
  expect(await post(url + conversations, admin, {})).toStrictEqual(ofUpstream);
  expect(await post(`${url}/auth/get_admin_token?secret=1`, user, {})).toMatchObject({ errCode: 500 });
  expect(await post(`${url}/user/get_users`, user, {})).toMatchObject({
    errDlt: `1001 ArgsError: path must be that of an operation: call OpenIM for others, at ${upstream}`,
  });
  await wrote("stderr", /get_users/);

  const { stderr, status } = await stop();
  expect(status).toBe(0);
  const lines = linesOf(stderr);
  const request = { level: 30, msg: "request", status: 200, operationID: "op1" };
  expect(lines.filter(({ msg }) => msg === "request")).toMatchObject([
    { ...request, path: list, operation: "searchNotificationAccount", adminUserID: "boss", errCode: 0 },
    { ...request, path: list },
    // What im-admin would have answered.
    { ...request, path: list, operation: "searchNotificationAccount", adminUserID: "boss", errCode: 1001 },
    { ...request, path: conversations },
    {
      level: 50,
      path: "/auth/get_admin_token",
      status: 502,
      err: { message: expect.stringMatching(/^the upstream gave no answer \(.+\)$/) },
    },
    { level: 30, path: "/user/get_users", status: 404 },
  ]);
  // What OpenIM alone was asked is no call of ours.
  expect(lines.map(({ operation }) => operation).filter((operation) => operation !== undefined)).toStrictEqual([
    "searchNotificationAccount",
    "searchNotificationAccount",
  ]);
  for (const token of [admin, user, "secret"]) expect(stderr).not.toContain(token);
});

function linesOf(stderr: string) {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The answer to a list, and why im-admin has not given its own. */
async function listBeside(db: string, ...more: string[]) {
  const { url, admin, stdout, stop } = await serveBeside(db, ...more);
  const answer = await post(url + list, admin, body);
  const health = await fetch(`${url}/healthz`);
  const lines = linesOf((await stop()).stderr);
  const causes = lines.filter(({ path }) => path === list).map(({ err }) => err?.message);
  return { answer, causes, lines, stdout, health: health.status };
}

const neverFilled = "the copy has never been whole: im-admin follow or im-admin import --replace fills it";

it.each<[string, () => Promise<string>, cause: string | RegExp, health: number]>([
  ["it is filled for the first time", async () => ":memory:", neverFilled, 503],
  [
    "all collections are there for the first time",
    async () => (await importFiles({ "user.json": users })).database,
    neverFilled,
    503,
  ],
  ["it is imported again", yesterdaysCopy, /^the copy is 864\d\d seconds old, more than --max-copy-age allows$/, 503],
  ["another process unlocks it", lockedCopy, /^another process has locked the database .*: database is locked$/, 503],
])("listens at once, and lets OpenIM answer until %s", async (_title, database, cause, health) => {
  const listed = await listBeside(await database(), "--max-copy-age", "23h");
  expect(listed).toMatchObject({ answer: ofUpstream, causes: [expect.stringMatching(cause)], health });
});

async function yesterdaysCopy(): Promise<string> {
  const db = await importedCopy();
  const file = new Database(db);
  file.prepare("UPDATE im_admin_last_import SET time = ?").run(Date.now() - 86_400_000);
  file.close();
  return db;
}

async function lockedCopy(): Promise<string> {
  const { database, store } = await importFiles(copied);
  await store.close();
  const file = new Database(database);
  onTestFinished(() => void file.close());
  file.pragma("journal_mode = DELETE");
  file.exec("BEGIN EXCLUSIVE");
  return database;
}

it("lets OpenIM answer where the copy cannot be opened", async () => {
  const db = join(temporaryFolder(), "im.db");
  writeFileSync(db, "this is no database, but a text that is long enough to look at");
  const { answer, causes, lines, stdout, health } = await listBeside(db);
  expect(stdout).toMatch(/, from no copy\n/);
  expect(answer).toStrictEqual(ofUpstream);
  expect(lines[0]).toMatchObject({ level: 50, msg: "the copy cannot be opened: OpenIM answers all lists" });
  expect(causes).toStrictEqual([lines[0].err.message]);
  expect(health).toBe(503);
});

it("lets OpenIM answer where the pages of the copy are damaged", async () => {
  const db = await importedCopy();
  const { url, admin, stop } = await serveBeside(db);
  expect(await post(url + list, admin, body)).toMatchObject({ data: { total: 1 } });
  writeFileSync(db, "x".repeat(4_096), { flag: "r+" });
  truncateSync(db, 4_096);
  expect(await post(url + list, admin, body)).toStrictEqual(ofUpstream);
  expect((await fetch(`${url}/healthz`)).status).toBe(503);
  await stop();
});

it("tells the console whether it can get tokens: from itself, or from the upstream", async () => {
  const upstream = await upstreamUrl();
  const settingWith = async (...more: string[]) => {
    const { url } = await serve([...flags, "--db", ":memory:", "--console", ...more]);
    const page = await (await fetch(`${url}/console`)).text();
    return /name="im-admin-admin-token" content="(.*?)"/.exec(page)?.[1];
  };
  expect(await settingWith()).toBe("");
  expect(await settingWith("--token-endpoint")).toBe("on");
  expect(await settingWith("--upstream", upstream)).toBe("on");
});

it("tells how old an imported copy is, and nothing before the first import", async () => {
  const health = async (db: string) => {
    const { url } = await serveHere([...flags, "--db", db]);
    return (await fetch(`${url}/healthz`)).json() as Promise<{ status: string; copyAgeSeconds: number }>;
  };
  const before = Date.now();
  const { database } = await importFiles(copied);
  const { status, copyAgeSeconds } = await health(database);
  expect(status).toBe("ok");
  expect(Number.isInteger(copyAgeSeconds)).toBe(true);
  expect(copyAgeSeconds).toBeGreaterThanOrEqual(0);
  expect(copyAgeSeconds).toBeLessThanOrEqual((Date.now() - before) / 1000);
  expect(await health(":memory:")).toStrictEqual({ status: "ok" });
});
