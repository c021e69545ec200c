import { expect, it } from "vitest";
import { imAdmin, importFiles, post, serve } from "../../helpers/cliProcess.js";
import { sendOverHttp } from "../../helpers/http/adapters.js";
import { httpUpstream } from "../../helpers/http/upstreams.js";

const secret = "a-secret-of-some-length";
const flags = `--db :memory: --secret ${secret} --admin boss`.split(" ");
const list = "/user/search_notification_account";
const conversations = "/conversation/set_conversations";
const pagination = { pageNumber: 1, showNumber: 3 };

/** Starts `im-admin serve` beside an upstream that answers success, or hangs up. */
async function serveBeside(...more: string[]) {
  const upstream = await httpUpstream((request, response) => {
    if (request.url?.startsWith("/gone")) request.socket.destroy();
    request.resume().on("end", () => response.end('{"errCode":0,"errMsg":"","errDlt":""}'));
  });
  const server = await serve([...flags, "--upstream", upstream, ...more]);
  const token = async (admin: string) => (await imAdmin(["token", "--secret", secret, "--admin", admin])).stdout.trim();
  return { ...server, upstream, admin: await token("boss"), user: await token("ann") };
}

it("answers lists, passes all else on, and logs both without tokens", async () => {
  const { url, upstream, stdout, admin, user, wrote, stop } = await serveBeside();
  expect(stdout).toBe(`im-admin answers on ${url}, from :memory:\nall else is passed on to ${upstream}\n`);
  expect(await post(url + list, admin, { pagination })).toMatchObject({ data: { total: 0 } });
  expect(await post(url + list, user, { pagination })).toStrictEqual({ errCode: 0, errMsg: "", errDlt: "" });
  const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1" };
  expect(await post(url + conversations, admin, { userIDs: ["u1"], conversation })).toMatchObject({ errCode: 0 });
  expect(await post(`${url}/gone?secret=1`, user, {})).toMatchObject({ errCode: 500 });
  await wrote("stderr", /copyConversations/);
  await wrote("stderr", /gone/);

  const { stderr, status } = await stop();
  expect(status).toBe(0);
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const request = { level: 30, msg: "request", status: 200, operationID: "op1" };
  expect(lines.filter(({ msg }) => msg === "request")).toMatchObject([
    { ...request, path: list, operation: "searchNotificationAccount", adminUserID: "boss", errCode: 0 },
    { ...request, path: list },
    { ...request, path: conversations },
    {
      level: 50,
      path: "/gone",
      status: 502,
      err: { message: "the upstream closed the connection before its answer was whole (ECONNRESET)" },
    },
  ]);
  // Requests that were passed on are no calls.
  expect(lines.map(({ operation }) => operation).filter((operation) => operation !== undefined)).toStrictEqual([
    "searchNotificationAccount",
    "copyConversations",
  ]);
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 30,
      msg: "call",
      operation: "copyConversations",
      operationID: "op1",
      adminUserID: "boss",
      errCode: 1004,
    }),
  );
  for (const token of [admin, user, "secret"]) expect(stderr).not.toContain(token);
});

it("lets requests name any host, unless hosts are given", async () => {
  const statusFor = async (url: string, host: string) => {
    const port = Number(new URL(url).port);
    return (await sendOverHttp(port, { method: "GET", path: "/x", headers: { host } })).status;
  };
  const { url } = await serveBeside();
  expect(await statusFor(url, "chat.example.org")).toBe(200);
  const { url: named } = await serveBeside("--allow-host", "chat.example.org");
  expect(await statusFor(named, "chat.example.org")).toBe(200);
  expect(await statusFor(named, "evil.example")).toBe(403);
});

it("refuses an upstream that is no server", async () => {
  const { status, stderr } = await imAdmin(["serve", ...flags, "--upstream", "openim:10002"]);
  const reason = 'upstream must be the URL of a server, such as "http://openim:10002", without a path or a password';
  expect([status, stderr]).toEqual([
    2,
    `im-admin: option '--upstream <url>' argument 'openim:10002' is invalid. ${reason}\nim-admin serve --help tells what there is.\n`,
  ]);
});

it("tells how old an imported copy is, and nothing before the first import", async () => {
  const health = async (db: string) => {
    const { url, stop } = await serve([...flags.slice(2), "--db", db]);
    const answer = await (await fetch(`${url}/healthz`)).json();
    await stop();
    return answer;
  };
  const before = Date.now();
  const { database } = await importFiles({ "user.json": '{"user_id":"u1"}' });
  const { status, copyAgeSeconds } = await health(database);
  expect(status).toBe("ok");
  expect(Number.isInteger(copyAgeSeconds)).toBe(true);
  expect(copyAgeSeconds).toBeGreaterThanOrEqual(0);
  expect(copyAgeSeconds).toBeLessThanOrEqual((Date.now() - before) / 1000);
  expect(await health(":memory:")).toStrictEqual({ status: "ok" });
});
