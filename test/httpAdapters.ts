import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../adapters/fetch.js";
import { createNodeListener } from "../adapters/node.js";
import type { HttpAnswer, HttpRequest } from "./httpRequest.js";

/** A way to mount the six functions, with a client that reaches them. */
export interface HttpAdapter {
  name: string;
  open(options: FetchHandlerOptions): Promise<(request: HttpRequest) => Promise<HttpAnswer>>;
}

export const httpAdapters: readonly HttpAdapter[] = [
  {
    name: "createFetchHandler",
    async open(options) {
      const handler = createFetchHandler(options);
      return async ({ method, path, headers, body }) => {
        const init = { method, headers, body: Array.isArray(body) ? streamOf(body) : body };
        const response = await handler(
          new Request(`http://localhost${path}`, { ...init, duplex: "half" } as RequestInit),
        );
        return { status: response.status, headers: response.headers, text: await response.text() };
      };
    },
  },
  {
    name: "createNodeListener",
    async open(options) {
      const server = createServer(createNodeListener(options)).listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => void server.close().closeAllConnections());
      const { port } = server.address() as AddressInfo;
      return (request) => sendOverHttp(port, request);
    },
  },
];

function streamOf(chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

/** Sends a request with the case of its header names kept, which `fetch` does not do. */
export function sendOverHttp(port: number, { body = "", ...request }: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, agent: false, ...request }, async (response) => {
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
