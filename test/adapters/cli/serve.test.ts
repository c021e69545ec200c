import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { post, serve, start } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };

it("answers all six operations on the demo world, and logs each without what it holds", async () => {
  const secret = "correct horse battery staple";
  const { url, token, stop } = await serve(["--demo", "--db", ":memory:"], { IM_ADMIN_SECRET: secret });
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
  expect(await total("/user/search_notification_account", { keyword: "billing", pagination })).toEqual([0, 1]);
  expect(
    await total("/conversation/set_conversations", {
      userIDs: [fromUserID],
      conversation: { ...conversation, isPinned: true },
    }),
  ).toEqual([0, undefined]);

  const { stdout: allOutput, stderr } = await stop();
  const log = stderr.trim().split("\n");
  const line = { level: 30, time: expect.any(Number), msg: "request", durationMs: expect.any(Number) };
  const answered = { ...line, method: "POST", status: 200, bytes: expect.any(Number) };
  const called = { ...answered, operationID: "op1", adminUserID: "imAdmin", errCode: 0 };
  expect(log.map((line) => JSON.parse(line))).toEqual([
    ...[
      ["/group/get_group_member_list", "getGroupMemberList"],
      ["/friend/get_black_list", "getBlackList"],
      ["/group/get_joined_group_list", "getJoinedGroupList"],
      ["/group/get_recv_group_applicationList", "getReceivedGroupApplicationList"],
      ["/user/search_notification_account", "searchNotificationAccount"],
      ["/conversation/set_conversations", "setConversations"],
    ].map(([path, operation]) => ({ ...called, path, operation })),
    { level: 30, time: expect.any(Number), msg: "finishing the requests under way" },
  ]);
  for (const content of [token, secret, "1000000007", "billing", "pagination"]) expect(stderr).not.toContain(content);
  expect(allOutput).not.toContain(secret);
});

it("logs what reaches no operation, and the health at debug level alone", async () => {
  const ask = async (level: string) => {
    const { url, stop } = await serve(["--demo", "--db", ":memory:", "--log-level", level]);
    await fetch(`${url}/nowhere?secret=1`, { method: "POST" });
    await fetch(`${url}/friend/get_black_list`);
    await fetch(`${url}/friend/get_black_list`, { method: "POST", body: "x".repeat(1_048_577) });
    await fetch(`${url}/healthz`);
    const { stderr } = await stop();
    return stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === "request")
      .map(({ level, method, path, status, errCode }) => [level, method, path, status, errCode]);
  };
  const requests = [
    [30, "POST", "/nowhere", 404, undefined],
    [30, "GET", "/friend/get_black_list", 405, undefined],
    [30, "POST", "/friend/get_black_list", 413, 1001],
  ];
  expect(await ask("info")).toEqual(requests);
  expect(await ask("debug")).toEqual([...requests, [20, "GET", "/healthz", 200, undefined]]);
});

it("escapes in the log what a terminal would obey", async () => {
  const admin = "a\u007f\u0080\u009b\u009f\u00a0\u2028\u2029b";
  const { url, token, stop } = await serve(["--demo", "--db", ":memory:", "--admin", admin]);
  await fetch(`${url}/friend/get_black_list`, { method: "POST", headers: { operationID: "\u009b31m", token } });
  const [line = ""] = (await stop()).stderr.split("\n");
  expect(JSON.parse(line)).toMatchObject({ operationID: "\u009b31m", adminUserID: admin });
  expect(line).toContain('"operationID":"\\u009b31m"');
  expect(line).toContain('"adminUserID":"a\\u007f\\u0080\\u009b\\u009f\u00a0\\u2028\\u2029b"');
});

it.each([
  ["with a flag", ["--log-level", "warn"], {}],
  ["in the environment", [], { IM_ADMIN_LOG_LEVEL: "warn" }],
])("leaves out of the log what is below the level that is set %s", async (_, flags, environment) => {
  const { url, token, stop } = await serve(["--demo", "--db", ":memory:", ...flags], environment);
  const { errCode } = await post(`${url}/user/search_notification_account`, token, { pagination });
  expect([errCode, (await stop()).stderr]).toEqual([0, ""]);
});

it("lets a request under way finish on SIGTERM, exits with 0 and leaves one file", async () => {
  const folder = temporaryFolder();
  const environment = { IM_ADMIN_SECRET: "s" };
  const { url, token, wrote, stop } = await serve(["--demo", "--db", join(folder, "im.db")], environment);
  const headers = { operationID: "op1", token, expect: "100-continue" };
  const request = httpRequest(`${url}/user/search_notification_account`, { method: "POST", headers });
  request.flushHeaders();
  await once(request, "continue");

  const ended = stop();
  await wrote("stderr", /finishing the requests under way/);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
  const answered = once(request, "response");
  request.end(JSON.stringify({ pagination }));
  const [response] = await answered;
  expect(JSON.parse(await text(response))).toMatchObject({ errCode: 0, data: { total: 4 } });
  expect((await ended).status).toBe(0);
  expect(readdirSync(folder)).toEqual(["im.db"]);
});

it("answers the preflights of the origins that it was given", async () => {
  const origin = "https://console.example.org";
  const { url } = await serve(["--demo", "--db", ":memory:", "--cors", `https://a.example.org, ${origin}`]);
  const allowed = async (from: string) => {
    const headers = { origin: from, "access-control-request-method": "POST" };
    const { ok, headers: answered } = await fetch(`${url}/friend/get_black_list`, { method: "OPTIONS", headers });
    return [ok, answered.get("access-control-allow-origin")];
  };
  expect(await allowed(origin)).toEqual([true, origin]);
  expect(await allowed("https://a.example.org")).toEqual([true, "https://a.example.org"]);
  expect((await allowed("https://other.example.org"))[1]).toBeNull();
});

it.each([
  ["gives out tokens", "--token-endpoint", ["--token-endpoint"], {}],
  ["gives out tokens", "IM_ADMIN_TOKEN_ENDPOINT=true", [], { IM_ADMIN_TOKEN_ENDPOINT: "true" }],
  ["gives out no tokens", "IM_ADMIN_TOKEN_ENDPOINT=false", [], { IM_ADMIN_TOKEN_ENDPOINT: "false" }],
  ["gives out no tokens", "IM_ADMIN_TOKEN_ENDPOINT=Off", [], { IM_ADMIN_TOKEN_ENDPOINT: "Off" }],
  ["gives out no tokens", "neither", [], {}],
])("%s over HTTP with %s", async (outcome, _, flags, environment) => {
  const given = outcome === "gives out tokens";
  const { url } = await serve(["--db", ":memory:", "--secret", "s", "--admin", "a1", ...flags], environment);
  const { errCode, data } = await post(`${url}/auth/get_admin_token`, "", { secret: "s", userID: "a1" });
  expect([errCode, data?.["expireTimeSeconds"]]).toEqual(given ? [0, 7_776_000] : [1001, undefined]);
  if (!given) return;
  const { errCode: withToken } = await post(`${url}/user/search_notification_account`, String(data["token"]), {
    pagination,
  });
  expect(withToken).toBe(0);
});

it("listens on IPv6, or says that the machine has none", async () => {
  const args = ["--demo", "--db", ":memory:", "--host", "::1"];
  const addresses = Object.values(networkInterfaces()).flatMap((network) => network ?? []);
  if (addresses.some(({ address }) => address === "::1")) {
    const { url } = await serve(args);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  } else {
    const { status, stderr } = await start(["serve", "--port", "0", ...args]).ended;
    expect(stderr).toMatch(/^im-admin: ::1 is no address of this machine: .*\n$/);
    expect(status).toBe(1);
  }
});
