import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { fixedTokenAuthenticator } from "../../../adapters/auth.js";
import { type ServeOptions, serve } from "../../../adapters/node.js";
import type { RecordSet } from "../../../src/index.js";
import { memoryStore } from "../stores.js";

export const token = "known";

/** Starts the real server on a store with these records, and gives its address. */
export async function serveRecords(records: RecordSet, options: Partial<ServeOptions> = {}): Promise<string> {
  const store = memoryStore();
  await store.put(records);
  const authenticate = fixedTokenAuthenticator([{ token, adminUserID: "imAdmin" }]);
  const server = await serve({ store, authenticate, port: 0, ...options });
  onTestFinished(() => void server.close());
  return server.url;
}

/** Starts a server that answers as nobody expects, and gives its address. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that always answers the same. */
export function startServerOf(body: string, status = 200, headers: Record<string, string> = {}): Promise<string> {
  return startServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
}
