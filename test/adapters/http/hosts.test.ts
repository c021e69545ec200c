import type { IncomingMessage } from "node:http";
import { IttyRouter } from "itty-router";
import { describe, expect, it } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import { mountAdminRoutes } from "../../../adapters/itty-router.js";
import { createNodeListener } from "../../../adapters/node.js";
import { anybody, byToken, listening, recorder, served, storeOf, token } from "../../helpers/http/hosts.js";
import {
  argsError,
  failureText,
  membersBody,
  membersText,
  notFound,
  paths,
  texts,
} from "../../helpers/http/request.js";
import { sendOverHttp } from "../../helpers/http/send.js";
import { memoryStore } from "../../helpers/stores.js";

function post(headers: Record<string, string> = {}): Request {
  const init = { method: "POST", headers: { operationID: "op-1", ...headers }, body: membersBody };
  return new Request(`http://localhost${paths.members}?page=1`, init);
}

async function overHttp(port: number, headers: Record<string, string> = {}, body: string = membersBody) {
  const request = { method: "POST", path: paths.members, headers: { operationID: "op-1", ...headers }, body };
  const { status, text } = await sendOverHttp(port, request);
  return { status, text };
}

describe("authenticate", () => {
  it("is shown the request, also where it has no token", async () => {
    const asked: unknown[] = [];
    const handler = createFetchHandler({
      store: await storeOf(),
      authenticate(token, { method, path, header, raw }) {
        asked.push({ token, method, path, bearer: header("Authorization"), none: header("x-none"), raw });
        return { adminUserID: "imAdmin" };
      },
    });
    const request = post({ authorization: "Bearer abc" });
    expect(await (await handler(request)).text()).toBe(membersText);
    expect(asked).toStrictEqual([
      { token: "", method: "POST", path: paths.members, bearer: "Bearer abc", none: undefined, raw: request },
    ]);
  });

  it("may know a host's session by a property that the host has added to Node's request", async () => {
    const listener = createNodeListener({
      store: await storeOf(),
      authenticate(_token, { raw }) {
        const { session } = raw as IncomingMessage & { session?: { adminUserID: string } };
        return session ?? { failure: "TokenNotExistError" };
      },
    });
    const port = await listening((request, response) => {
      const isKnown = request.headers.cookie === "known";
      listener(isKnown ? Object.assign(request, { session: { adminUserID: "ann" } }) : request, response);
    });
    expect(await overHttp(port, { cookie: "known" })).toStrictEqual({ status: 200, text: membersText });
    expect(await overHttp(port)).toStrictEqual({ status: 200, text: failureText(1507, "TokenNotExistError") });
  });
});

describe("store as a function", () => {
  interface Bindings {
    tenants: Record<string, ReturnType<typeof memoryStore>>;
  }
  const options: FetchHandlerOptions<Bindings> = {
    store: ({ header }, { tenants }) => tenants[header("x-tenant") ?? ""] as ReturnType<typeof memoryStore>,
    authenticate: anybody,
  };

  it.each(["createFetchHandler", "mountAdminRoutes"])("gives each tenant its own, with %s", async (adapter) => {
    const environment: Bindings = { tenants: { a: await storeOf(), b: memoryStore() } };
    const { errors, observer } = recorder();
    const observed = { ...options, observer };
    const handler =
      adapter === "createFetchHandler" ? createFetchHandler(observed) : mountAdminRoutes(IttyRouter(), observed).fetch;
    const ask = async (tenant: string) => (await handler(post({ "x-tenant": tenant }), environment)).text();
    expect(await ask("a")).toBe(membersText);
    expect(await ask("b")).toBe(notFound("group g1"));
    expect(await ask("c")).toBe(texts.internalError);
    const message = "what the function store answered must be a store: it lacks the method listGroupMembers";
    expect(errors).toMatchObject([{ error: new TypeError(message) }]);
  });

  it("is asked only for callers with a token, and may be asynchronous", async () => {
    let asked = 0;
    const port = await listening(
      createNodeListener({
        async store() {
          asked += 1;
          return storeOf();
        },
        authenticate: byToken,
      }),
    );
    await overHttp(port);
    await overHttp(port, { token }, "{");
    expect(asked).toBe(0);
    expect(await overHttp(port, { token })).toStrictEqual({ status: 200, text: membersText });
    expect(asked).toBe(1);
  });

  it("leaves the health of the server to the server alone", async () => {
    const { port } = await served({ store: () => Promise.reject(new Error("no tenant")) });
    expect((await sendOverHttp(port, { method: "GET", path: "/healthz", headers: {} })).status).toBe(200);
  });
});

describe("a request that the host has touched", () => {
  it.each<[string, (request: IncomingMessage) => unknown]>([
    ["paused", (request) => request.pause()],
    ["set to give text", (request) => request.setEncoding("utf8")],
    ["set to give text in hexadecimal digits", (request) => request.setEncoding("hex")],
  ])("is read where it was %s", async (_name, touch) => {
    const store = memoryStore();
    await store.put({ users: [{ userID: "王芳", appMangerLevel: 3 }] });
    // No limit of time ends what would never end by itself.
    const listener = createNodeListener({ store, authenticate: anybody, callTimeoutMs: false });
    const port = await listening((request, response) => {
      touch(request);
      listener(request, response);
    });
    const body = JSON.stringify({ keyword: "王", pagination: { pageNumber: 1, showNumber: 1 } });
    const request = { method: "POST", path: paths.accounts, headers: { operationID: "op-1" }, body };
    const { text } = await sendOverHttp(port, request);
    expect(text).toContain('"userID":"王芳"');
  });
});

const isGone = (advice: string) =>
  new TypeError(`the request's body was read before im-admin could read it: ${advice}`);

describe("a body that a parser of the host has read", () => {
  async function answered(parse: (text: string) => unknown, { bodyBytes = 1_000, body = membersBody } = {}) {
    const { errors, observer } = recorder();
    const limits = { bodyBytes };
    const listener = createNodeListener({ store: await storeOf(), authenticate: anybody, observer, limits });
    const port = await listening(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      listener(Object.assign(request, { body: parse(text) }), response);
    });
    return { ...(await overHttp(port, {}, body)), errors: errors.map(({ error }) => error) };
  }

  const limit = { bodyBytes: 100 };
  it.each<[string, (text: string) => unknown, expected: object, Parameters<typeof answered>[1]?]>([
    ["is taken as a value", (text) => JSON.parse(text), { text: membersText }],
    ["is taken as a string", (text) => text, { text: membersText }],
    ["is taken as a Buffer", (text) => Buffer.from(text), { text: membersText }],
    ["is taken as bytes", (text) => new TextEncoder().encode(text), { text: membersText }],
    ["is validated", () => ({ groupID: 1 }), { text: texts.noGroupID }],
    ["is validated where it is null", () => null, { text: argsError("input must be an object") }],
    ["must be JSON where it is text", (text) => `${text}}`, { text: texts.notJson }],
    ["may be as long as the limit where it is text", (text) => text.padEnd(100), { text: membersText }, limit],
    ["may not be longer", (text) => text.padEnd(101), { status: 413 }, limit],
    ["may not be longer in bytes", (text) => text.padEnd(100, "é"), { status: 413 }, limit],
    ["is empty if the parser has found nothing", () => ({}), { text: texts.notJson }, { body: "" }],
    ["is empty if the parser gives no text", () => "", { text: texts.notJson }, { body: "" }],
    ["is empty if the parser leaves nothing of no body", () => undefined, { text: texts.notJson }, { body: "" }],
    [
      "is a failure that says so where nothing is left of it",
      () => undefined,
      {
        text: texts.internalError,
        errors: [isGone("mount im-admin before what reads bodies, or leave what was read in request.body")],
      },
    ],
  ])("%s", async (_name, parse, expected, sent) => {
    expect(await answered(parse, sent)).toStrictEqual({
      status: 200,
      text: expect.any(String),
      errors: [],
      ...expected,
    });
  });

  it("is a failure that says so with Request, too", async () => {
    const { errors, observer } = recorder();
    const handler = createFetchHandler({ store: await storeOf(), authenticate: anybody, observer });
    const [read, locked] = [post(), post()];
    await read.text();
    locked.body?.getReader();
    for (const request of [read, locked]) expect(await (await handler(request)).text()).toBe(texts.internalError);
    const error = isGone("hand over the request before its body is read, or a clone() of it");
    expect(errors).toMatchObject([{ error }, { error }]);
  });

  it("does not keep a parser's empty guess from being replaced by what was sent", async () => {
    const listener = createNodeListener({ store: await storeOf(), authenticate: anybody });
    const port = await listening((request, response) => listener(Object.assign(request, { body: {} }), response));
    expect(await overHttp(port)).toStrictEqual({ status: 200, text: membersText });
  });
});

it("leaves alone a response that the host has given already", async () => {
  const listener = createNodeListener({ store: await storeOf(), authenticate: anybody });
  const port = await listening((request, response) => {
    response.writeHead(202).end("mine");
    listener(request, response);
  });
  expect(await overHttp(port)).toStrictEqual({ status: 202, text: "mine" });
});
