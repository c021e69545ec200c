import { createServer } from "node:http";
import { AutoRouter } from "itty-router";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFetchHandler, relay } from "../../../../adapters/fetch.js";
import { mountAdminRoutes } from "../../../../adapters/itty-router.js";
import { createNodeListener } from "../../../../adapters/node.js";
import { portOf, recorder, storeOf, until } from "../../../helpers/http/hosts.js";
import { httpWorld, membersBody, membersText, paths, requestOf, tokens } from "../../../helpers/http/request.js";
import { type Send, sendTo, sendToPort } from "../../../helpers/http/send.js";
import { optionsFor } from "../../../helpers/http/setup.js";
import { httpUpstream, rawUpstream } from "../../../helpers/http/upstreams.js";
import { startWorker } from "../../../helpers/workerd.js";

/** An upstream that answers what it was asked. */
const echo = () =>
  httpUpstream(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.end(`${request.url} ${body} ${request.headers["x-forwarded-for"] ?? "nobody"}`);
  });

const worker = async (url: string): Promise<Send> => {
  const main = 'export { default } from "./test/children/besideWorker.ts"';
  const started = await startWorker(main, { bindings: { UPSTREAM: url } });
  onTestFinished(() => started.stop());
  await (await started.emptyStore()).put(httpWorld);
  return sendToPort(started.port);
};

describe.each<[string, (url: string) => Promise<Send>, address: string]>([
  [
    "createFetchHandler",
    async (url) => sendTo(createFetchHandler({ ...optionsFor(await storeOf()), upstream: { url, relay } })),
    "nobody",
  ],
  [
    "mountAdminRoutes",
    async (url) =>
      sendTo(mountAdminRoutes(AutoRouter(), { ...optionsFor(await storeOf()), upstream: { url, relay } }).fetch),
    "nobody",
  ],
  [
    "createNodeListener",
    async (url) => {
      const listener = createNodeListener({ ...optionsFor(await storeOf()), upstream: { url } });
      return sendToPort(await portOf(createServer(listener).listen(0, "127.0.0.1")));
    },
    "127.0.0.1",
  ],
  [
    // Its numbers are those that the parser has read.
    "createNodeListener behind a parser of bodies",
    async (url) => {
      const listener = createNodeListener({ ...optionsFor(await storeOf()), upstream: { url } });
      const server = createServer(async (request, response) => {
        const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
        listener(Object.assign(request, { body }), response);
      });
      return sendToPort(await portOf(server.listen(0, "127.0.0.1")));
    },
    "127.0.0.1",
  ],
  ["a Worker with D1", worker, "nobody"],
])("%s", (_name, open, address) => {
  it("answers administrators' lists, and asks the upstream for the rest", async () => {
    const send = await open(await echo());
    expect((await send(requestOf({ request: {} }))).text).toBe(membersText);
    const request = { headers: { token: tokens.ofAnybody } };
    expect(await send(requestOf({ request }))).toMatchObject({
      status: 200,
      text: `${paths.members} ${membersBody} ${address}`,
    });
  });
});

it("answers 300 requests at once in a Worker, whose runtime has few connections", { timeout: 60_000 }, async () => {
  const send = await worker(await echo());
  const request = requestOf({ request: { headers: { token: tokens.ofAnybody } } });
  const answers = await Promise.all(Array.from({ length: 300 }, () => send(request)));
  expect(new Set(answers.map(({ text }) => text))).toStrictEqual(new Set([`${paths.members} ${membersBody} nobody`]));
});

it("sends by the fetch that it was given", async () => {
  const seen: unknown[] = [];
  const handler = createFetchHandler({
    ...optionsFor(await storeOf()),
    upstream: {
      url: "https://openim.example",
      fetch: async (url, { method, redirect, body }) => {
        seen.push([url, method, redirect, new TextDecoder().decode(body as Uint8Array)]);
        return new Response("{}");
      },
      relay,
    },
  });
  expect((await sendTo(handler)(requestOf({ request: { path: paths.conversations } }))).text).toBe("{}");
  expect(seen).toStrictEqual([[`https://openim.example${paths.conversations}`, "POST", "manual", membersBody]]);
});

it("leaves the upstream where the signal of the request ends", async () => {
  const { url, connections, all } = await rawUpstream();
  const handler = createFetchHandler({ ...optionsFor(await storeOf()), upstream: { url, relay } });
  const { path, ...init } = requestOf({ request: { headers: { token: tokens.ofAnybody } } });
  const leaving = new AbortController();
  const request = new Request(`http://localhost${path}`, { ...init, signal: leaving.signal } as RequestInit);
  const answer = handler(request);
  await until(() => all().endsWith(membersBody));
  leaving.abort();
  await Promise.all(connections.map((socket) => new Promise((resolve) => socket.resume().once("close", resolve))));
  expect((await answer).status).toBe(502);
});

it("waits no longer for a fetch that does not look at its signal, and reports nothing where the answer is not read", async () => {
  const { errors, observer } = recorder();
  const answers = [new Promise<Response>(() => {}), Promise.resolve(new Response("x".repeat(100_000)))];
  const fetch = () => answers.shift() as Promise<Response>;
  const handler = createFetchHandler({
    ...optionsFor(await storeOf()),
    observer,
    upstream: { url: "http://openim", fetch, timeoutMs: 50, relay },
  });
  const { path, ...init } = requestOf({ request: { path: paths.conversations } });
  const ask = () => handler(new Request(`http://localhost${path}`, init as RequestInit));
  expect((await ask()).status).toBe(504);
  await (await ask()).body?.cancel();
  expect(errors).toMatchObject([{ error: { message: "the upstream did not answer in time" } }]);
});

it("needs relay where no module for Node hands it in", async () => {
  const options = { ...optionsFor(await storeOf()), upstream: { url: "http://openim" } };
  expect(() => createFetchHandler(options)).toThrow(
    new TypeError('upstream.relay must be given on this runtime: import { relay } from "im-admin/fetch"'),
  );
});
