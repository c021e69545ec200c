import { writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http";
import { request as httpsRequest } from "node:https";
import { networkInterfaces } from "node:os";
import { generate } from "selfsigned";
import { expect, it } from "vitest";
import { block } from "../../helpers/docs/recipePage.js";
import { listening, portOf } from "../../helpers/http/hosts.js";
import { expectServed } from "../../helpers/http/published.js";
import {
  argsError,
  failureText,
  membersText,
  notFound,
  secret,
  sign,
  texts,
  tokens,
} from "../../helpers/http/request.js";
import { type Send, sendOverHttp, sendToPort } from "../../helpers/http/send.js";
import { ask as askFor, fillStore, recipeFolder, run, sendToStarted, setSecret } from "../helpers/recipes.js";

const served = { status: 200, text: membersText };
const noPermission = { status: 200, text: texts.noAdministrator };
const noToken = { status: 200, text: argsError("header must have token") };
const unknownSession = { status: 200, text: failureText(1507, "TokenNotExistError") };
const otherKey = { status: 200, text: texts.otherSecret };

/** Asks for the members with other headers than usual. */
const ask = (send: Send, headers: Record<string, string | null>, base = "") => askFor(send, { headers }, base);

async function sendTo(program: string): Promise<Send> {
  return sendToPort(await listening((await run(program))["listener"] as RequestListener));
}

it("a session", async () => {
  setSecret("SESSION_SECRET", "a secret of sessions");
  const login = `app.post("/login", (request, response) => {
    request.session.adminUserID = "ann";
    response.end();
  });\n`;
  const program = block("A session").replace(/^app\.use\(\n/m, (line) => login + line);
  const send = await sendToStarted(await run(program));
  const { headers } = await send({ method: "POST", path: "/login", headers: {} });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  await expectServed(send, { headers: { cookie, token: "" } });
  expect(await ask(send, { token: null, cookie }, "/admin")).toStrictEqual(served);
  expect(await ask(send, { token: null }, "/admin")).toStrictEqual(unknownSession);
  expect(await ask(send, { cookie: "connect.sid=s%3Aguessed.guessed" }, "/admin")).toStrictEqual(unknownSession);
  // What a form of another site can send.
  expect(await ask(send, { token: null, operationID: null, cookie }, "/admin")).toMatchObject({
    text: argsError("header must have operationID"),
  });
});

it("Authorization: Bearer", async () => {
  const send = await sendTo(block("Authorization: Bearer"));
  const authorization = `Bearer ${tokens.admin}`;
  await expectServed(send, { base: "", headers: { authorization, token: "" } });
  expect(await ask(send, { token: null, authorization: `bearer ${tokens.admin}` })).toStrictEqual(served);
  expect(await ask(send, { authorization: `Bearer ${tokens.ofAnotherSecret}` })).toStrictEqual(otherKey);
  for (const refused of [null, "", "Bearer", `Basic ${tokens.admin}`, tokens.admin]) {
    expect(await ask(send, { authorization: refused })).toStrictEqual(noToken);
  }
});

it("a client certificate", async () => {
  const authority = await certificate("Administrators", { extensions: [{ name: "basicConstraints", cA: true }] });
  const ca = { key: authority.private, cert: authority.cert };
  const server = await certificate("localhost");
  const folder = await recipeFolder();
  writeFileSync(`${folder}/server.key`, server.private);
  writeFileSync(`${folder}/server.crt`, server.cert);
  writeFileSync(`${folder}/clients.crt`, authority.cert);
  const program = block("A client certificate").replace(/readFileSync\("/g, (call) => `${call}${folder}/`);
  const port = await portOf((await run(program)).listening as Server);

  const sendAs = (client: { private: string; cert: string } | undefined): Send => {
    const identity = client && { key: client.private, cert: client.cert };
    const connection = { ca: server.cert, servername: "localhost", ...identity };
    return (request) => sendOverHttp(port, request, httpsRequest, connection);
  };
  const ann = sendAs(await certificate("ann", { ca }));
  await expectServed(ann, { base: "", headers: { token: "" } });
  expect(await ask(ann, { token: null })).toStrictEqual(served);
  expect(await ask(sendAs(await certificate("bob", { ca })), {})).toStrictEqual(noPermission);
  for (const stranger of [await certificate("ann"), undefined]) {
    await expect(ask(sendAs(stranger), {})).rejects.toThrow();
  }
});

it("some addresses only, also where the server takes IPv6", async () => {
  const { listener } = await run(block("Some addresses only"));
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const hasIPv6 = addresses.some(({ address }) => address === "::1");
  const port = await portOf(createServer(listener as RequestListener).listen(0, hasIPv6 ? "::" : "127.0.0.1"));
  const sendFrom =
    (localAddress: string, host = "127.0.0.1"): Send =>
    (request) =>
      sendOverHttp(port, request, httpRequest, { host, localAddress });
  await expectServed(sendFrom("127.0.0.1"), { base: "" });
  expect(await ask(sendFrom("127.0.0.2"), {})).toStrictEqual(noPermission);
  if (hasIPv6) expect(await ask(sendFrom("::1", "::1"), {})).toStrictEqual(noPermission);
  expect(await ask(sendFrom("127.0.0.1"), { token: tokens.ofAnotherSecret })).toStrictEqual(otherKey);
});

it("several tenants", async () => {
  setSecret("SECRET_A", secret);
  setSecret("SECRET_B", "the secret of b");
  const folder = await recipeFolder();
  await fillStore(`${folder}/a.example.org.db`);
  const program = block("Several tenants").replace("{ path: `", (start) => `${start}${folder}/`);
  const send = await sendTo(program);
  const tokenOfB = await sign({ UserID: "imAdmin", exp: 4_102_444_800 }, { key: "the secret of b" });
  expect(await ask(send, { host: "a.example.org" })).toStrictEqual(served);
  expect(await ask(send, { host: "b.example.org" })).toStrictEqual(otherKey);
  expect(await ask(send, { host: "a.example.org", token: tokenOfB })).toStrictEqual(otherKey);
  expect(await ask(send, { host: "b.example.org", token: tokenOfB })).toStrictEqual({
    status: 200,
    text: notFound("group g1"),
  });
  for (const host of ["c.example.org", "a.example.org.", "__proto__"]) {
    expect(await ask(send, { host })).toStrictEqual(noPermission);
  }
});

function certificate(name: string, options: Parameters<typeof generate>[1] = {}) {
  return generate([{ name: "commonName", value: name }], { keyType: "ec", algorithm: "sha256", ...options });
}
