import { request } from "node:http";
import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { jwtAuthenticator } from "../../../adapters/auth.js";
import { type AdminTokenOptions, createFetchHandler } from "../../../adapters/fetch.js";
import { served, storeOf, textFrom } from "../../helpers/http/hosts.js";
import { adminUserID, argsError, failureText, membersText, secret } from "../../helpers/http/request.js";
import { sendOverHttp } from "../../helpers/http/send.js";

const path = "/auth/get_admin_token";
const wrong = failureText(1002, "NoPermissionError", "secret or userID is wrong");
const tooMany = failureText(1002, "NoPermissionError", "too many wrong attempts; try again in a minute");

const good = JSON.stringify({ secret, userID: adminUserID });
const bad = JSON.stringify({ secret: "wrong", userID: adminUserID });

/** The endpoint as a client that wants a token sees it, and the handler that has it. */
async function opened(more: Partial<AdminTokenOptions> = {}) {
  const handler = createFetchHandler({
    store: await storeOf(),
    authenticate: jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] }),
    adminToken: { secret, adminUserIDs: [adminUserID], ...more },
  });
  const ask = (body: string, headers: Record<string, string> = {}) => textFrom(handler, { path, body, headers });
  return { handler, ask };
}

/** The endpoint after ten wrong attempts of one client. It tells clients apart by their address. */
async function tried(addresses: (attempt: number) => string) {
  const { ask } = await opened({ clientAddress: ({ header }) => header("x-client") });
  const askFrom = (address: string, body = good) => ask(body, { "x-client": address });
  for (let attempt = 1; attempt <= 10; attempt++) expect(await askFrom(addresses(attempt), bad)).toBe(wrong);
  return async (address: string) => {
    const answer = await askFrom(address);
    return answer === tooMany ? answer : JSON.parse(answer).errCode;
  };
}

describe("/auth/get_admin_token", () => {
  it("gives a token that the other endpoints accept, for 90 days", async () => {
    const { handler, ask } = await opened();
    const { data, ...envelope } = JSON.parse(await ask(good));
    expect(envelope).toStrictEqual({ errCode: 0, errMsg: "", errDlt: "" });
    expect(data).toStrictEqual({ token: expect.any(String), expireTimeSeconds: 7_776_000 });
    expect(await textFrom(handler, { headers: { token: data.token } })).toBe(membersText);
  });

  it("gives a token for the configured time", async () => {
    const { ask } = await opened({ expiresInSeconds: 60 });
    const { data } = JSON.parse(await ask(good));
    const { exp = 0, iat = 0 } = decodeJwt(data.token);
    expect({ answered: data.expireTimeSeconds, signed: exp - iat }).toStrictEqual({ answered: 60, signed: 60 });
  });

  it("answers a wrong secret and an unknown administrator alike", async () => {
    const { ask } = await opened();
    expect(await ask(bad)).toBe(wrong);
    expect(await ask(JSON.stringify({ secret: "", userID: adminUserID }))).toBe(wrong);
    expect(await ask(JSON.stringify({ secret: `${secret} `, userID: adminUserID }))).toBe(wrong);
    expect(await ask(JSON.stringify({ secret, userID: "u1" }))).toBe(wrong);
    expect(await ask(JSON.stringify({ secret: "wrong", userID: "u1" }))).toBe(wrong);
  });

  it("names the field that is wrong, and wants an operationID", async () => {
    const { ask } = await opened();
    expect(await ask('{"userID":"imAdmin"}')).toBe(argsError("secret must be a string"));
    expect(await ask(good, { operationID: "" })).toBe(argsError("header must have operationID"));
  });

  it("refuses everybody after ten failures, until a minute has passed", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask } = await opened();
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
    const errCodeFor = await tried(() => "10.0.0.1");
    for (const address of ["10.0.0.1", "::ffff:10.0.0.1"]) expect(await errCodeFor(address)).toBe(tooMany);
    expect(await errCodeFor("10.0.0.2")).toBe(0);
  });

  it("takes the addresses of one IPv6 network for one client", async () => {
    const errCodeFor = await tried((host) => `2001:db8:0:7::${host}`);
    for (const same of ["2001:db8:0:7:a:b:c:d", "2001:db8::7:1:2:3:4"]) expect(await errCodeFor(same)).toBe(tooMany);
    for (const other of ["2001:db8:0:8::1", "2001:db8::7"]) expect(await errCodeFor(other)).toBe(0);
  });

  it("takes all requests for one client's where nobody tells them apart", async () => {
    const { ask } = await opened({ clientAddress: () => undefined });
    for (let attempt = 1; attempt <= 10; attempt++) await ask(bad);
    expect(await ask(good)).toBe(tooMany);
  });

  it("knows a client on Node by the address of its connection", async () => {
    const { port } = await served({ adminToken: { secret, adminUserIDs: [adminUserID] } });
    const ask = async (localAddress: string, body: string) => {
      const sent = { method: "POST", path, headers: { operationID: "op-1" }, body };
      return (await sendOverHttp(port, sent, request, { localAddress })).text;
    };
    for (let attempt = 1; attempt <= 10; attempt++) await ask("127.0.0.2", bad);
    expect(await ask("127.0.0.2", good)).toBe(tooMany);
    expect(JSON.parse(await ask("127.0.0.3", good)).errCode).toBe(0);
  });

  it("refuses before it reads, and reads 4 KiB at most", async () => {
    const { ask } = await opened();
    expect(await ask(good.padEnd(4097))).toBe(argsError("body must have at most 4096 bytes"));
    expect(JSON.parse(await ask(good.padEnd(4096))).errCode).toBe(0);
    for (let attempt = 1; attempt <= 10; attempt++) await ask(bad);
    expect(await ask("{")).toBe(tooMany);
  });

  it("lets no more than ten failures through when they come at once", async () => {
    const { ask } = await opened();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(bad)));
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(10);
    expect(answers.filter((answer) => answer === tooMany)).toHaveLength(40);
  });

  it("counts failures only: any number of right requests is answered", async () => {
    const { ask } = await opened();
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
    await expect(opened(more as Partial<AdminTokenOptions>)).rejects.toThrow(TypeError);
  });
});
