import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { imAdmin, post, serve } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };
const list = "/user/search_notification_account";

/** The lines of a log. */
function linesOf(stderr: string): Record<string, unknown>[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ending = { level: 30, time: expect.any(Number), msg: "finishing the requests under way" };

it("answers all six operations on the demo world, and logs each without its content", async () => {
  const secret = "16 characters...";
  const environment = { IM_ADMIN_SECRET: secret };
  const { url, token, stdout, wrote, stop } = await serve(["--demo", "--db", ":memory:"], environment);
  expect(stdout).not.toContain("console");
  const fromUserID = "1000000007";
  const conversation = { conversationID: "si_1000000007_1001800006", conversationType: 1, userID: "1001800006" };
  const total = async (path: string, body: object) => {
    const { errCode, data } = await post(url + path, token, body);
    return [errCode, data?.["total"]];
  };
  expect(await total("/group/get_group_member_list", { groupID: "2559217223", pagination })).toEqual([0, 5000]);
  expect(await total("/friend/get_black_list", { userID: fromUserID, pagination })).toEqual([0, 1]);
  expect(await total("/group/get_joined_group_list", { fromUserID, pagination })).toEqual([0, 301]);
  expect(await total("/group/get_recv_group_applicationList", { fromUserID, pagination })).toEqual([0, 400]);
  expect(await total(list, { keyword: "billing", pagination })).toEqual([0, 1]);
  const change = { userIDs: [fromUserID], conversation: { ...conversation, isPinned: true } };
  expect(await total("/conversation/set_conversations", change)).toEqual([0, undefined]);
  await fetch(`${url}/nowhere?secret=1`, { method: "POST" });
  await fetch(`${url}/console`);
  await fetch(`${url}/friend/get_black_list`);
  await fetch(`${url}/friend/get_black_list`, { method: "POST", body: "x".repeat(1_048_577) });
  // The log has it at debug level only.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  await wrote("stderr", /"status":413/);
  const { stdout: allOutput, stderr } = await stop();
  const answered = {
    level: 30,
    time: expect.any(Number),
    msg: "request",
    durationMs: expect.any(Number),
    bytes: expect.any(Number),
  };
  const called = { ...answered, method: "POST", status: 200, operationID: "op1", adminUserID: "imAdmin", errCode: 0 };
  const refused = { ...answered, operationID: "" };
  expect(linesOf(stderr)).toEqual([
    { ...called, path: "/group/get_group_member_list", operation: "getGroupMemberList" },
    { ...called, path: "/friend/get_black_list", operation: "getBlackList" },
    { ...called, path: "/group/get_joined_group_list", operation: "getJoinedGroupList" },
    { ...called, path: "/group/get_recv_group_applicationList", operation: "getReceivedGroupApplicationList" },
    { ...called, path: list, operation: "searchNotificationAccount" },
    { ...called, path: "/conversation/set_conversations", operation: "setConversations" },
    { ...refused, method: "POST", path: "/nowhere", status: 404 },
    { ...refused, method: "GET", path: "/console", status: 404 },
    { ...refused, method: "GET", path: "/friend/get_black_list", status: 405 },
    {
      ...refused,
      method: "POST",
      path: "/friend/get_black_list",
      status: 413,
      operation: "getBlackList",
      errCode: 1001,
    },
    ending,
  ]);
  for (const content of [token, secret, "1000000007", "billing", "pagination"]) expect(stderr).not.toContain(content);
  expect(allOutput).not.toContain(secret);
});

it("logs checks of health at debug level, and escapes control characters", async () => {
  const admin = "a\u007f\u0080\u009b\u009f\u00a0\u2028\u2029b";
  const flags = ["--secret", "16 characters...", "--admin", admin];
  const { url, stop } = await serve(["--db", ":memory:", "--log-level", "debug", ...flags]);
  const token = (await imAdmin(["token", ...flags])).stdout.trim();
  await fetch(`${url}/healthz`);
  await fetch(`${url}/friend/get_black_list`, { method: "POST", headers: { operationID: "\u009b31m", token } });
  const { stderr } = await stop();
  expect(linesOf(stderr)).toMatchObject([
    { level: 20, method: "GET", path: "/healthz", status: 200 },
    { operationID: "\u009b31m", adminUserID: admin },
    ending,
  ]);
  expect(stderr).toContain('"operationID":"\\u009b31m"');
  expect(stderr).toContain('"adminUserID":"a\\u007f\\u0080\\u009b\\u009f\u00a0\\u2028\\u2029b"');
});

it("lets a request under way finish on SIGTERM, answers new ones for a while, exits with 0, leaves one file, and warns of a weak secret", async () => {
  const folder = temporaryFolder();
  const environment = { IM_ADMIN_SECRET: "16 characters...\n15 characters.." };
  const { url, token, stdout, wrote, stop } = await serve(["--demo", "--db", join(folder, "im.db")], environment);
  expect(stdout).toContain("A token of the administrator imAdmin:\n");
  const headers = { operationID: "op1", token, expect: "100-continue" };
  const request = httpRequest(url + list, { method: "POST", headers });
  request.flushHeaders();
  await once(request, "continue");

  const ended = stop();
  await wrote("stderr", /finishing the requests under way/);
  const connect = () => fetch(`${url}/healthz`).then(({ headers }) => headers.get("connection"), String);
  expect(await connect()).toBe("close");
  await expect.poll(connect).toBe("TypeError: fetch failed");
  const answered = once(request, "response");
  request.end(JSON.stringify({ pagination }));
  const [response] = await answered;
  expect(JSON.parse(await text(response))).toMatchObject({ errCode: 0, data: { total: 4 } });
  const { status, stderr } = await ended;
  expect(status).toBe(0);
  expect(linesOf(stderr)).toMatchObject([
    {
      level: 40,
      msg: "a secret has fewer than 16 characters, and can be guessed: make one with openssl rand -base64 32",
    },
    ending,
    { path: list, status: 200 },
  ]);
  expect(stderr).not.toContain("characters..");
  expect(readdirSync(folder)).toEqual(["im.db"]);
});

const [one, two] = ["https://a.example.org", "https://b.example.org"];

it.each<[string, string[], Record<string, string>]>([
  [
    "in repeated flags",
    [..."--secret s1 --secret s2 --admin a1 --admin a2 --token-endpoint --cors".split(" "), one, "--cors", two],
    {},
  ],
  [
    "in the environment, which turns the log off and the token endpoint too, and listens beyond this machine",
    [],
    {
      IM_ADMIN_SECRET: "s1\ns2\n",
      IM_ADMIN_ADMIN: "a1,a2",
      IM_ADMIN_CORS: `${one}, ${two}`,
      IM_ADMIN_TOKEN_ENDPOINT: "false",
      IM_ADMIN_HOST: "0.0.0.0",
      IM_ADMIN_ALLOW_WEAK_SECRET: "1",
      IM_ADMIN_LOG_LEVEL: "error",
    },
  ],
])("takes several secrets, administrators and origins, %s", async (_, flags, environment) => {
  const isByFlags = flags.length > 0;
  const { url, stop } = await serve(["--db", ":memory:", ...flags], environment);
  const answered = async (secret: string, admin: string) => {
    const { stdout } = await imAdmin(["token", "--secret", secret, "--admin", admin]);
    return (await post(url + list, stdout.trim(), { pagination })).errCode;
  };
  expect([await answered("s1", "a1"), await answered("s2", "a2")]).toEqual([0, 0]);
  expect([await answered("s3", "a1"), await answered("s1", "a3")]).toEqual([1505, 1002]);

  const preflight = async (origin: string) => {
    const headers = { origin, "access-control-request-method": "POST" };
    const { ok, headers: allowed } = await fetch(url + list, { method: "OPTIONS", headers });
    return [ok, allowed.get("access-control-allow-origin")];
  };
  expect([await preflight(one), await preflight(two)]).toEqual([
    [true, one],
    [true, two],
  ]);
  expect((await preflight("https://other.example.org"))[1]).toBeNull();

  const { errCode, data } = await post(`${url}/auth/get_admin_token`, "", { secret: "s1", userID: "a1" });
  expect([errCode, data?.["expireTimeSeconds"]]).toEqual(isByFlags ? [0, 7_776_000] : [1001, undefined]);
  if (isByFlags) expect(await post(url + list, String(data["token"]), { pagination })).toMatchObject({ errCode: 0 });
  const { status, stderr } = await stop();
  expect([status, stderr === ""]).toEqual([0, !isByFlags]);
});

it("listens on IPv6, or says that the machine has none", async () => {
  const args = ["--secret", "s", "--admin", "a", "--db", ":memory:", "--host", "::1"];
  const addresses = Object.values(networkInterfaces()).flatMap((network) => network ?? []);
  if (addresses.some(({ address }) => address === "::1")) {
    const { url } = await serve(args);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  } else {
    const { status, stderr } = await imAdmin(["serve", "--port", "0", ...args]);
    expect(stderr).toMatch(/^im-admin: ::1 is no address of this machine: .*\n$/);
    expect(status).toBe(1);
  }
});

it("counts wrong attempts by client behind a proxy, and ignores addresses that a client writes", async () => {
  const { url } = await serve([
    ..."--db :memory: --secret a-secret-of-some-length --admin boss --token-endpoint --trust-proxy".split(" "),
    "X-Forwarded-For=127.0.0.1, 10.0.0.0/8",
  ]);
  const attempt = async (forwarded: string, secret: string) => {
    const response = await fetch(`${url}/auth/get_admin_token`, {
      method: "POST",
      headers: { operationID: "op1", "x-forwarded-for": forwarded },
      body: JSON.stringify({ secret, userID: "boss" }),
    });
    const { errCode, errDlt } = (await response.json()) as { errCode: number; errDlt: string };
    return [errCode, errDlt];
  };
  const tooMany = [1002, "1002 NoPermissionError: too many wrong attempts; try again in a minute"];
  for (let count = 0; count < 10; count++) {
    // Some proxies add the port.
    const forwarded = `192.0.2.${count}, 198.51.100.7:${4_000 + count}, 10.1.2.3:443`;
    expect(await attempt(forwarded, "wrong")).toEqual([1002, "1002 NoPermissionError: secret or userID is wrong"]);
  }
  expect(await attempt("198.51.100.7", "a-secret-of-some-length")).toEqual(tooMany);
  expect(await attempt("198.51.100.8", "a-secret-of-some-length")).toEqual([0, ""]);
});

it.each([
  ["x-real-ip=proxy.example.org", "invalid IP address: proxy.example.org"],
  ["x-real-ip=", "invalid IP address: "],
  ["127.0.0.1", "It must be such as x-forwarded-for=127.0.0.1,10.0.0.0/8."],
])("refuses the proxies %j", async (setting, reason) => {
  const { status, stderr } = await imAdmin([
    ..."serve --db :memory: --secret a-secret-of-some-length --admin boss --trust-proxy".split(" "),
    setting,
  ]);
  expect([status, stderr]).toEqual([
    2,
    `im-admin: option '--trust-proxy <header=addresses>' argument '${setting}' is invalid. ${reason}\nim-admin serve --help tells what there is.\n`,
  ]);
});

it("answers only requests for hosts that it knows, unless other machines may reach it", async () => {
  const start = async (...flags: string[]) => {
    const { url } = await serve([
      ..."--db :memory: --secret a-secret-of-some-length --admin boss".split(" "),
      ...flags,
    ]);
    const port = new URL(url).port;
    return async (host: string) => {
      const response = await new Promise<IncomingMessage>((resolve) => {
        httpRequest({ port, host: "127.0.0.1", path: "/healthz", headers: { host } }, resolve).end();
      });
      return `${response.statusCode} ${await text(response)}`;
    };
  };
  const well = '200 {"status":"ok"}';
  const refused =
    '403 {"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: the request\'s host must be localhost, or given as --allow-host"}';
  const byDefault = await start();
  for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:10002", "[::1]:10002"])
    expect(await byDefault(host)).toBe(well);
  for (const host of ["evil.example:10002", "localhost.evil.example", "localhost:1:2"]) {
    expect(await byDefault(host)).toBe(refused);
  }
  const named = await start("--allow-host", "Admin.example.org,a.example.org");
  for (const host of ["admin.example.org", "A.example.org:443", "localhost"]) expect(await named(host)).toBe(well);
  expect(await named("example.org")).toBe(refused);
  const anywhere = await start("--host", "0.0.0.0");
  expect(await anywhere("whatever.example")).toBe(well);
});

it("refuses numbers of threads outside of 0 to 64", async () => {
  const flags = ["serve", "--secret", "a-secret-of-some-length", "--admin", "boss", "--threads"];
  const { status, stderr } = await imAdmin([...flags, "65"]);
  expect([status, stderr]).toEqual([
    2,
    "im-admin: option '--threads <number>' argument '65' is invalid. It must be a number from 0 to 64.\nim-admin serve --help tells what there is.\n",
  ]);
  expect((await imAdmin([...flags, "2", "--db", "postgres://x/y"])).stderr).toBe(
    "im-admin: --threads is for files: PostgreSQL has processes of its own\nim-admin serve --help tells what there is.\n",
  );
});
