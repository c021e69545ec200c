import { request as httpRequest, type RequestOptions } from "node:http";
import type { ConnectionOptions } from "node:tls";
import type { FetchHandler } from "../../../adapters/fetch.js";
import type { HttpAnswer, HttpRequest } from "./request.js";

/** Sends a request to where the functions are mounted. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** Sends requests to a server on this machine. */
export function sendToPort(port: number): Send {
  return (request) => sendOverHttp(port, request);
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
