import { once } from "node:events";
import { request } from "node:http";
import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { jwtAuthenticator } from "../../../adapters/auth.js";
import { type AdminTokenOptions, createFetchHandler } from "../../../adapters/fetch.js";
import { serve } from "../../../adapters/node.js";
import { adminUserID, httpWorld, membersBody, membersText, paths, secret } from "../../helpers/http/request.js";
import { memoryStore } from "../../helpers/stores.js";

const wrong =
  '{"errCode":1002,"errMsg":"NoPermissionError","errDlt":"1002 NoPermissionError: secret or userID is wrong"}';
const tooMany =
  '{"errCode":1002,"errMsg":"NoPermissionError","errDlt":"1002 NoPermissionError: too many wrong attempts; try again in a minute"}';

const good = JSON.stringify({ secret, userID: adminUserID });
const bad = JSON.stringify({ secret: "wrong", userID: adminUserID });

async function opened(more: Partial<AdminTokenOptions> = {}) {
  const store = memoryStore();
  await store.put(httpWorld);
  const handler = createFetchHandler({
    store,
    authenticate: jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] }),
    adminToken: { secret, adminUserIDs: [adminUserID], ...more },
  });
  return async (path: string, body: string, headers: Record<string, string> = {}): Promise<string> => {
    const init = { method: "POST", body, headers: { operationID: "op-1", ...headers } };
    const response = await handler(new Request(`http://localhost${path}`, init));
    return response.text();
  };
}

/** The endpoint alone, as a client that wants a token sees it. */
async function endpoint(more?: Partial<AdminTokenOptions>) {
  const send = await opened(more);
  return (body: string) => send("/auth/get_admin_token", body);
}

describe("/auth/get_admin_token", () => {
  it("gives a token that the other endpoints accept, for 90 days", async () => {
    const send = await opened();
    const { data, ...envelope } = JSON.parse(await send("/auth/get_admin_token", good));
    expect(envelope).toStrictEqual({ errCode: 0, errMsg: "", errDlt: "" });
    expect(data).toStrictEqual({ token: expect.any(String), expireTimeSeconds: 7_776_000 });
    expect(await send(paths.members, membersBody, { token: data.token })).toBe(membersText);
  });

  it("gives a token for the configured time", async () => {
    const ask = await endpoint({ expiresInSeconds: 60 });
    const { data } = JSON.parse(await ask(good));
    const { exp = 0, iat = 0 } = decodeJwt(data.token);
    expect({ answered: data.expireTimeSeconds, signed: exp - iat }).toStrictEqual({ answered: 60, signed: 60 });
  });

  it("answers a wrong secret and an unknown administrator alike", async () => {
    const ask = await endpoint();
    expect(await ask(bad)).toBe(wrong);
    expect(await ask(JSON.stringify({ secret: "", userID: adminUserID }))).toBe(wrong);
    expect(await ask(JSON.stringify({ secret: `${secret} `, userID: adminUserID }))).toBe(wrong);
    expect(await ask(JSON.stringify({ secret, userID: "u1" }))).toBe(wrong);
    expect(await ask(JSON.stringify({ secret: "wrong", userID: "u1" }))).toBe(wrong);
  });

  it("names the field that is wrong, and wants an operationID", async () => {
    const send = await opened();
    expect(await send("/auth/get_admin_token", '{"userID":"imAdmin"}')).toBe(
      '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: secret must be a string"}',
    );
    expect(await send("/auth/get_admin_token", good, { operationID: "" })).toBe(
      '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have operationID"}',
    );
  });

  it("refuses everybody after ten failures, until a minute has passed", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const ask = await endpoint();
    for (let attempt = 1; attempt <= 10; attempt++) expect(await ask(bad)).toBe(wrong);
    expect(await ask(good)).toBe(tooMany);
    // Another attempt every now and then does not get through either.
    for (let second = 5; second < 60; second += 5) {
      vi.advanceTimersByTime(5_000);
      expect(await ask(bad), `after ${second} s`).toBe(tooMany);
    }
    vi.advanceTimersByTime(5_000);
    expect(JSON.parse(await ask(good)).errCode).toBe(0);
    expect(await ask(bad)).toBe(wrong);
  });

  it("refuses one client, and answers the others", async () => {
    const send = await opened({ clientAddress: ({ header }) => header("x-client") });
    const ask = (client: string, body: string) => send("/auth/get_admin_token", body, { "x-client": client });
    for (let attempt = 1; attempt <= 10; attempt++) await ask("10.0.0.1", bad);
    expect(await ask("10.0.0.1", good)).toBe(tooMany);
    expect(await ask("::ffff:10.0.0.1", good)).toBe(tooMany);
    expect(JSON.parse(await ask("10.0.0.2", good)).errCode).toBe(0);
  });

  it("takes the addresses of one IPv6 network for one client", async () => {
    const send = await opened({ clientAddress: ({ header }) => header("x-client") });
    const ask = (client: string, body: string) => send("/auth/get_admin_token", body, { "x-client": client });
    for (let host = 1; host <= 10; host++) await ask(`2001:db8:0:7::${host}`, bad);
    expect(await ask("2001:db8:0:7:a:b:c:d", good)).toBe(tooMany);
    expect(await ask("2001:db8::7:1:2:3:4", good)).toBe(tooMany);
    expect(JSON.parse(await ask("2001:db8:0:8::1", good)).errCode).toBe(0);
    expect(JSON.parse(await ask("2001:db8::7", good)).errCode).toBe(0);
  });

  it("takes all requests for one client's where nobody tells them apart", async () => {
    const send = await opened({ clientAddress: () => undefined });
    for (let attempt = 1; attempt <= 10; attempt++) await send("/auth/get_admin_token", bad);
    expect(await send("/auth/get_admin_token", good)).toBe(tooMany);
  });

  it("knows a client on Node by the address of its connection", async () => {
    const server = await serve({
      store: memoryStore(),
      authenticate: jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] }),
      adminToken: { secret, adminUserIDs: [adminUserID] },
      port: 0,
    });
    onTestFinished(() => server.close());
    const ask = async (localAddress: string, body: string) => {
      const headers = { operationID: "op-1" };
      const options = { localAddress, port: server.port, method: "POST", path: "/auth/get_admin_token", headers };
      const [response] = await once(request(options).end(body), "response");
      return Buffer.concat(await response.toArray()).toString();
    };
    for (let attempt = 1; attempt <= 10; attempt++) await ask("127.0.0.2", bad);
    expect(await ask("127.0.0.2", good)).toBe(tooMany);
    expect(JSON.parse(await ask("127.0.0.3", good)).errCode).toBe(0);
  });

  it("refuses before it reads, and reads 4 KB at most", async () => {
    const send = await opened();
    expect(await send("/auth/get_admin_token", good.padEnd(4097))).toBe(
      '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must have at most 4096 bytes"}',
    );
    expect(JSON.parse(await send("/auth/get_admin_token", good.padEnd(4096))).errCode).toBe(0);
    for (let attempt = 1; attempt <= 10; attempt++) await send("/auth/get_admin_token", bad);
    expect(await send("/auth/get_admin_token", "{")).toBe(tooMany);
  });

  it("lets no more than ten failures through when they come at once", async () => {
    const ask = await endpoint();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(bad)));
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(10);
    expect(answers.filter((answer) => answer === tooMany)).toHaveLength(40);
  });

  it("counts failures only: any number of right requests is answered", async () => {
    const ask = await endpoint();
    for (let attempt = 1; attempt <= 9; attempt++) await ask(bad);
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(good)));
    expect(answers.map((answer) => JSON.parse(answer).errCode)).toStrictEqual(Array(30).fill(0));
  });

  it.each([
    { secret: "" },
    { secret: undefined },
    { adminUserIDs: undefined },
    { adminUserIDs: adminUserID },
    { expiresInSeconds: 0 },
    { expiresInSeconds: Number.NaN },
    { clientAddress: "x-forwarded-for" as never },
  ])("cannot be configured with %o", async (more) => {
    await expect(endpoint(more as Partial<AdminTokenOptions>)).rejects.toThrow(TypeError);
  });
});
