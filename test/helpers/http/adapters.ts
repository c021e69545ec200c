import { once } from "node:events";
import { createServer, request as httpRequest, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { AutoRouter, IttyRouter, Router } from "itty-router";
import { AutoRouter as AutoRouter6, IttyRouter as IttyRouter6, Router as Router6 } from "itty-router-6";
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import { type AdminRouter, mountAdminRoutes } from "../../../adapters/itty-router.js";
import { createNodeListener } from "../../../adapters/node.js";
import type { Store } from "../../../src/index.js";
import { startWorker } from "../workerd.js";
import { type HttpAnswer, type HttpRequest, type HttpSetup, httpWorld, secret, tokens } from "./request.js";
import { optionsFor } from "./setup.js";

const known = { secret, revoked: tokens.revoked };

/** Sends a request to where the functions are mounted. */
export type Send = (request: HttpRequest, setup?: HttpSetup) => Promise<HttpAnswer>;

/** A way to mount the six functions, with a client that reaches them. */
export interface HttpAdapter {
  name: string;
  /** Whether paths that are no operation's are answered by the application around it. */
  isPart?: true;
  /** Each request says how the handler that answers it is set up. */
  open(store: Store): Promise<{ send: Send; close?(): unknown }>;
}

/** The header that tells a server on a port its handler's setup. */
export const setupHeader = "x-test-setup";

export const httpAdapters: readonly HttpAdapter[] = [
  inProcess("createFetchHandler", createFetchHandler),
  {
    name: "createNodeListener",
    async open(store) {
      const server = createServer((request, response) => {
        const setup = JSON.parse(decodeURIComponent(String(request.headers[setupHeader])));
        createNodeListener(optionsFor(setup, store, known))(request, response);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      return {
        send: withSetup((server.address() as AddressInfo).port),
        close: () => server.close().closeAllConnections(),
      };
    },
  },
  ...Object.entries({
    IttyRouter,
    Router,
    AutoRouter,
    "IttyRouter of itty-router 6": IttyRouter6,
    "Router of itty-router 6": Router6,
    "AutoRouter of itty-router 6": AutoRouter6,
  }).map(([name, make]: [string, () => AdminRouter & { fetch: FetchHandler }]) => ({
    ...inProcess(`mountAdminRoutes on ${name}`, (options) => mountAdminRoutes(make(), options).fetch),
    isPart: true as const,
  })),
  {
    name: "a Worker with D1",
    async open() {
      const worker = await startWorker('export { default } from "./test/children/httpWorker.ts"', { bindings: known });
      await (await worker.emptyStore()).put(httpWorld);
      return { send: withSetup(worker.port), close: worker.stop };
    },
  },
];

function inProcess(name: string, make: (options: FetchHandlerOptions) => FetchHandler): HttpAdapter {
  return {
    name,
    open: async (store) => ({ send: (request, setup = {}) => sendTo(make(optionsFor(setup, store, known)))(request) }),
  };
}

/** Sends requests to a server whose handler is set up as each of them says. */
export function withSetup(port: number): Send {
  return ({ headers, ...request }, { options, authenticator, brokenStore } = {}) => {
    const text = encodeURIComponent(JSON.stringify({ options, authenticator, brokenStore }));
    return sendOverHttp(port, { ...request, headers: { ...headers, [setupHeader]: text } });
  };
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
