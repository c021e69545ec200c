import { once } from "node:events";
import { createServer, request as httpRequest, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { AutoRouter, IttyRouter, Router } from "itty-router";
import { AutoRouter as AutoRouter6, IttyRouter as IttyRouter6, Router as Router6 } from "itty-router-6";
import { onTestFinished } from "vitest";
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import { type AdminRouter, mountAdminRoutes } from "../../../adapters/itty-router.js";
import { createNodeListener } from "../../../adapters/node.js";
import { memoryStore } from "../stores.js";
import { startWorker, type TestWorker } from "../workerd.js";
import { type HttpAnswer, type HttpRequest, type HttpSetup, httpWorld, secret, tokens } from "./request.js";
import { optionsFor } from "./setup.js";

/** Sends a request to where the functions are mounted. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** A way to mount the six functions, with a client that reaches them. */
export interface HttpAdapter {
  name: string;
  /** Whether paths that are no operation's are answered by the application around it. */
  isPart?: true;
  open(setup: HttpSetup): Promise<Send>;
}

const httpWorker = 'export { default } from "./test/children/httpWorker.ts"';
let worker: Promise<TestWorker> | undefined;

/** Stops what the adapters share. */
export async function stopAdapters(): Promise<void> {
  await (await worker)?.stop();
}

export const httpAdapters: readonly HttpAdapter[] = [
  {
    name: "createFetchHandler",
    open: async (setup) => sendTo(createFetchHandler(await nodeOptions(setup))),
  },
  {
    name: "createNodeListener",
    async open(setup) {
      const server = createServer(createNodeListener(await nodeOptions(setup))).listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => void server.close().closeAllConnections());
      const { port } = server.address() as AddressInfo;
      return (request) => sendOverHttp(port, request);
    },
  },
  router("IttyRouter", () => IttyRouter()),
  router("Router", () => Router()),
  router("AutoRouter", () => AutoRouter()),
  router("IttyRouter of itty-router 6", () => IttyRouter6()),
  router("Router of itty-router 6", () => Router6()),
  router("AutoRouter of itty-router 6", () => AutoRouter6()),
  {
    name: "a Worker with D1",
    async open({ options, authenticator, brokenStore }) {
      worker ??= startWorker(httpWorker, { secret, revoked: tokens.revoked });
      const { port, emptyStore } = await worker;
      await (await emptyStore()).put(httpWorld);
      const setup = encodeURIComponent(JSON.stringify({ options, authenticator, brokenStore }));
      return ({ headers, ...request }) =>
        sendOverHttp(port, { ...request, headers: { ...headers, "x-test-setup": setup } });
    },
  },
];

function router(name: string, make: () => AdminRouter & { fetch: FetchHandler }): HttpAdapter {
  return {
    name: `mountAdminRoutes on ${name}`,
    isPart: true,
    open: async (setup) => sendTo(mountAdminRoutes(make(), await nodeOptions(setup)).fetch),
  };
}

async function nodeOptions(setup: HttpSetup): Promise<FetchHandlerOptions> {
  const store = memoryStore();
  await store.put(httpWorld);
  return optionsFor(setup, store, { secret, revoked: tokens.revoked });
}

/** Sends requests to what takes them in the process. */
export function sendTo(handler: FetchHandler): Send {
  return async ({ method, path, headers, body }) => {
    const init = { method, headers, body: Array.isArray(body) ? streamOf(body) : body };
    const response = await handler(new Request(`http://localhost${path}`, { ...init, duplex: "half" } as RequestInit));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

function streamOf(chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

/**
 * Sends a request with the case of its header names kept, which `fetch` does not do.
 *
 * @param open what sends it: `request` of `node:http` or `node:https`
 * @param client how the client connects, where that matters
 */
export function sendOverHttp(
  port: number,
  { body = "", ...request }: HttpRequest,
  open = httpRequest,
  client: RequestOptions & ConnectionOptions = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = open({ host: "127.0.0.1", port, agent: false, ...client, ...request }, async (response) => {
      const chunks = await response.toArray();
      const headers = new Headers(response.headers as Record<string, string>);
      resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() });
    });
    sent.on("error", reject);
    const isStreamed = Array.isArray(body);
    for (const chunk of isStreamed ? body : []) sent.write(chunk);
    sent.end(isStreamed ? undefined : body);
  });
}
