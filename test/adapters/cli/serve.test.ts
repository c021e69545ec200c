import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { imAdmin, post, serve, serveHere } from "../../helpers/cliProcess.js";
import { sendToPort } from "../../helpers/http/send.js";
import { temporaryFolder } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };
const list = "/user/search_notification_account";
const secret = "16 characters...";
const flags = ["--db", ":memory:", "--secret", secret, "--admin", "boss"];

/** The lines of a log. */
function linesOf(stderr: string): Record<string, unknown>[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ending = { level: 30, time: expect.any(Number), msg: "finishing the requests under way" };

it("answers all six operations on the demo world, and logs each without its content", async () => {
  const { url, token, stdout, wrote, stop } = await serve(["--demo", "--db", ":memory:"], { IM_ADMIN_SECRET: secret });
  expect(stdout).not.toContain("console");
  const fromUserID = "1000000007";
  const conversation = { conversationID: "c", conversationType: 1, userID: "1001800006", isPinned: true };
  const calls: [path: string, operation: string, body: object, total?: number][] = [
    ["/group/get_group_member_list", "getGroupMemberList", { groupID: "2559217223", pagination }, 5000],
    ["/friend/get_black_list", "getBlackList", { userID: fromUserID, pagination }, 1],
    ["/group/get_joined_group_list", "getJoinedGroupList", { fromUserID, pagination }, 301],
    ["/group/get_recv_group_applicationList", "getReceivedGroupApplicationList", { fromUserID, pagination }, 400],
    [list, "searchNotificationAccount", { keyword: "billing", pagination }, 1],
    ["/conversation/set_conversations", "setConversations", { userIDs: [fromUserID], conversation }],
  ];
  for (const [path, _, body, total] of calls) {
    const { errCode, data } = await post(url + path, token, body);
    expect([errCode, data?.["total"]]).toEqual([0, total]);
  }
  await fetch(`${url}/nowhere?secret=1`, { method: "POST" });
  await fetch(`${url}/console`);
  // The log has it at debug level only.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await fetch(`${url}/friend/get_black_list`, { method: "POST", body: "x".repeat(1_048_577) });

  await wrote("stderr", /"status":413/);
  const { stdout: allOutput, stderr } = await stop();
  const number = expect.any(Number);
  const answered = { level: 30, time: number, msg: "request", durationMs: number, bytes: number, method: "POST" };
  const called = { ...answered, status: 200, operationID: "op1", adminUserID: "imAdmin", errCode: 0 };
  const refused = { ...answered, operationID: "" };
  expect(linesOf(stderr)).toEqual([
    ...calls.map(([path, operation]) => ({ ...called, path, operation })),
    { ...refused, path: "/nowhere", status: 404 },
    { ...refused, method: "GET", path: "/console", status: 404 },
    { ...refused, path: "/friend/get_black_list", status: 413, operation: "getBlackList", errCode: 1001 },
    ending,
  ]);
  for (const content of [token, secret, fromUserID, "billing", "pagination"]) expect(stderr).not.toContain(content);
  expect(allOutput).not.toContain(secret);
});

it("logs checks of health at debug level, and escapes control characters", async () => {
  const admin = "a\u007f\u0080\u009b\u009f\u00a0\u2028\u2029b";
  const { url, stop } = await serve([...flags, "--admin", admin, "--log-level", "debug"]);
  const token = await signAdminToken({ secret, userID: admin });
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
  const environment = { IM_ADMIN_SECRET: `${secret}\n15 characters..` };
  const { url, token, stdout, wrote, stop } = await serve(["--demo", "--db", join(folder, "im.db")], environment);
  expect(stdout).toContain("A token of the administrator imAdmin:\n");
  const headers = { operationID: "op1", token, expect: "100-continue" };
  const request = httpRequest(url + list, { method: "POST", headers });
  request.flushHeaders();
  await once(request, "continue");

  // New connections come all the time: the server takes them for half a second.
  const connect = () => fetch(`${url}/healthz`).then(({ headers }) => headers.get("connection"), String);
  const seen = new Set<string | null>();
  const refused = expect.poll(async () => seen.add(await connect())).toContain("TypeError: fetch failed");
  const ended = stop();
  await wrote("stderr", /finishing the requests under way/);
  await refused;
  expect([...seen].slice(-2)).toEqual(["close", "TypeError: fetch failed"]);
  const answered = once(request, "response");
  request.end(JSON.stringify({ pagination }));
  const [response] = await answered;
  expect(JSON.parse(await text(response))).toMatchObject({ errCode: 0, data: { total: 4 } });
  const { status, stderr } = await ended;
  expect(status).toBe(0);
  const advice = "a secret has fewer than 16 characters, and can be guessed: make one with openssl rand -base64 32";
  expect(linesOf(stderr)).toMatchObject([{ level: 40, msg: advice }, ending, { path: list, status: 200 }]);
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
    "in the environment, which turns the token endpoint off, and listens beyond this machine",
    [],
    {
      IM_ADMIN_SECRET: "s1\ns2\n",
      IM_ADMIN_ADMIN: "a1,a2",
      IM_ADMIN_CORS: `${one}, ${two}`,
      IM_ADMIN_TOKEN_ENDPOINT: "false",
      IM_ADMIN_HOST: "0.0.0.0",
      IM_ADMIN_ALLOW_WEAK_SECRET: "1",
    },
  ],
])("takes several secrets, administrators and origins, %s", async (_, given, environment) => {
  const isByFlags = given.length > 0;
  const { url } = await serveHere(["--db", ":memory:", ...given], environment);
  const answered = async (secret: string, userID: string) =>
    (await post(url + list, await signAdminToken({ secret, userID }), { pagination })).errCode;
  expect([await answered("s1", "a1"), await answered("s2", "a2")]).toEqual([0, 0]);
  expect([await answered("s3", "a1"), await answered("s1", "a3")]).toEqual([1505, 1002]);

  const allowed = async (origin: string) => {
    const headers = { origin, "access-control-request-method": "POST" };
    return (await fetch(url + list, { method: "OPTIONS", headers })).headers.get("access-control-allow-origin");
  };
  const origins = [one, two, "https://other.example.org"];
  expect(await Promise.all(origins.map(allowed))).toEqual([one, two, null]);

  const { errCode, data } = await post(`${url}/auth/get_admin_token`, "", { secret: "s1", userID: "a1" });
  expect([errCode, data?.["expireTimeSeconds"]]).toEqual(isByFlags ? [0, 7_776_000] : [1001, undefined]);
  if (isByFlags) expect(await post(url + list, String(data["token"]), { pagination })).toMatchObject({ errCode: 0 });
});

it("listens on IPv6, or says that the machine has none", async () => {
  const args = [...flags, "--host", "::1"];
  const addresses = Object.values(networkInterfaces()).flatMap((network) => network ?? []);
  if (addresses.some(({ address }) => address === "::1")) {
    const { url } = await serveHere(args);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  } else {
    const { status, stderr } = await imAdmin(["serve", "--port", "0", ...args]);
    expect(stderr).toMatch(/^im-admin: ::1 is no address of this machine: .*\n$/);
    expect(status).toBe(1);
  }
});

it("counts wrong attempts by client behind a proxy, and ignores addresses that a client writes", async () => {
  const proxies = "X-Forwarded-For=127.0.0.1, 10.0.0.0/8";
  const { url } = await serveHere([...flags, "--token-endpoint", "--trust-proxy", proxies]);
  const attempt = async (forwarded: string, secret: string) => {
    const headers = { operationID: "op1", "x-forwarded-for": forwarded };
    const body = JSON.stringify({ secret, userID: "boss" });
    const response = await fetch(`${url}/auth/get_admin_token`, { method: "POST", headers, body });
    return ((await response.json()) as { errDlt: string }).errDlt;
  };
  for (let count = 0; count < 10; count++) {
    // Some proxies add the port.
    const forwarded = `192.0.2.${count}, 198.51.100.7:${4_000 + count}, 10.1.2.3:443`;
    expect(await attempt(forwarded, "wrong")).toBe("1002 NoPermissionError: secret or userID is wrong");
  }
  const tooMany = "1002 NoPermissionError: too many wrong attempts; try again in a minute";
  expect(await attempt("198.51.100.7", secret)).toBe(tooMany);
  expect(await attempt("198.51.100.8", secret)).toBe("");
});

it("answers only requests for hosts that it knows, unless other machines may reach it", async () => {
  const well = '200 {"status":"ok"}';
  const refused =
    '403 {"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: the request\'s host must be localhost, or given as --allow-host"}';
  const evil = ["evil.example:10002", "localhost.evil.example", "localhost:1:2"];
  for (const [more, known, unknown] of [
    [[], ["localhost", "LOCALHOST:1", "127.0.0.1:10002", "[::1]:10002"], evil],
    [
      ["--allow-host", "Admin.example.org,a.example.org"],
      ["admin.example.org", "A.example.org:443", "localhost"],
      ["example.org"],
    ],
    [["--host", "0.0.0.0"], ["whatever.example"], []],
  ] as const) {
    const send = sendToPort(Number(new URL((await serveHere([...flags, ...more])).url).port));
    for (const host of [...known, ...unknown]) {
      const { status, text } = await send({ method: "GET", path: "/healthz", headers: { host } });
      expect(`${status} ${text}`, host).toBe(known.some((name) => name === host) ? well : refused);
    }
  }
});
