import { expect, expectTypeOf, it } from "vitest";
import { type AdminClientOptions, createAdminClient } from "../../../adapters/client.js";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { serveRecords, startServer, token } from "../../helpers/client/servers.js";
import { byToken } from "../../helpers/http/hosts.js";
import { memoryStore } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 10 };
const answer = '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"notificationAccounts":[]}}';

/** Starts a server that keeps the requests that come. */
async function startKeeper() {
  const requests: { path: string | undefined; method: string | undefined; headers: Record<string, unknown> }[] = [];
  const url = await startServer((request, response) => {
    requests.push({ path: request.url, method: request.method, headers: request.headers });
    request.resume();
    response.end(answer);
  });
  return { url, requests };
}

it("sends its headers, and to a path below the given one", async () => {
  const { url, requests } = await startKeeper();
  for (const base of [url, `${url}/`, `${url}/admin`, `${url}/admin//`, new URL(url), new URL("/a/b/", url)]) {
    await createAdminClient({ url: base, token, operationID: "op-7" }).searchNotificationAccount({ pagination });
  }
  const operation = "/user/search_notification_account";
  expect(requests.map(({ path }) => path)).toEqual([
    operation,
    operation,
    `/admin${operation}`,
    `/admin${operation}`,
    operation,
    `/a/b${operation}`,
  ]);
  expect(requests[0]).toMatchObject({
    method: "POST",
    headers: { "content-type": "application/json", operationid: "op-7", token: "known" },
  });
});

it("asks for a token before each call", async () => {
  const { url, requests } = await startKeeper();
  let asked = 0;
  const { searchNotificationAccount } = createAdminClient({ url, token: async () => `token ${++asked}` });
  await searchNotificationAccount({ pagination });
  await searchNotificationAccount({ pagination });
  expect(requests.map(({ headers }) => headers["token"])).toEqual(["token 1", "token 2"]);
});

it("sends no token that a header cannot have, and does not repeat it", async () => {
  const { url, requests } = await startKeeper();
  for (const unfit of ["secret\nline", "secret 管理"]) {
    const error = await createAdminClient({ url, token: unfit })
      .searchNotificationAccount({ pagination })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: "TransportError",
      message: `${url}/user/search_notification_account was not asked: the token cannot be sent in a header`,
      cause: undefined,
    });
  }
  expect(requests).toEqual([]);
});

it("identifies each call anew, unless it is told how", async () => {
  const { url, requests } = await startKeeper();
  const anew = createAdminClient({ url, token });
  for (let call = 0; call < 100; call++) await anew.searchNotificationAccount({ pagination });
  const identifiers = requests.map(({ headers }) => headers["operationid"]);
  expect(new Set(identifiers).size).toBe(100);
  for (const identifier of identifiers) expect(identifier).toMatch(/^\d{13}-[0-9a-z]+$/);

  const counted = createAdminClient({ url, token, operationID: () => `call ${requests.length}` });
  await counted.searchNotificationAccount({ pagination });
  await counted.searchNotificationAccount({ pagination }, { operationID: "this one" });
  expect(requests.slice(-2).map(({ headers }) => headers["operationid"])).toEqual(["call 100", "this one"]);
});

it("sends by what it is given, such as to a handler in the same process", async () => {
  const handler = createFetchHandler({ store: memoryStore(), authenticate: byToken });
  const send = (url: string, init: RequestInit) => handler(new Request(url, init));
  const client = createAdminClient({ url: "http://localhost", token, fetch: send });
  expect(await client.searchNotificationAccount({ pagination })).toEqual(JSON.parse(answer));
  expectTypeOf(globalThis.fetch).toExtend<NonNullable<AdminClientOptions["fetch"]>>();
});

it("lets its functions be taken apart", async () => {
  const { searchNotificationAccount } = createAdminClient({ url: await serveRecords({}), token });
  expect(await searchNotificationAccount({ pagination })).toEqual(JSON.parse(answer));
});

it.each([
  [undefined, "createAdminClient must be given an object of url, token, fetch, operationID, timeoutMs"],
  [{ token }, "url must be a string or a URL"],
  [{ url: "" }, "token must be a string or a function"],
  [{ url: "", token, operationID: 7 }, "operationID must be a string or a function"],
  [{ url: "", token, fetch: "fetch" }, "fetch must be a function"],
  [
    { baseURL: "", token },
    'createAdminClient does not know "baseURL"; it takes url, token, fetch, operationID, timeoutMs',
  ],
])("refuses the options %j", (options, message) => {
  expect(() => createAdminClient(options as never)).toThrow(new TypeError(message));
});

it.each([0, 1.5, 2 ** 31, "5000", null])("refuses the time limit %j", (timeoutMs) => {
  expect(() => createAdminClient({ url: "", token, timeoutMs: timeoutMs as never })).toThrow(
    new TypeError("timeoutMs must be an integer from 1 to 2147483647, or false"),
  );
});

it.each([
  "http://u:secret@x",
  "http://secret@x/a",
  "//u:secret@x",
  "http:u:secret@x",
  "http:\\\\u:secret@x",
  "/admin?key=secret",
  "/a#b",
])("refuses the URL %s, and does not repeat it", (url) => {
  expect(() => createAdminClient({ url, token })).toThrow(
    new TypeError("url must have no user, password, query or fragment"),
  );
});

it("takes URLs with an @ in their path", async () => {
  const { url, requests } = await startKeeper();
  await createAdminClient({ url: `${url}/@chat`, token }).searchNotificationAccount({ pagination });
  expect(requests.map(({ path }) => path)).toEqual(["/@chat/user/search_notification_account"]);
});
