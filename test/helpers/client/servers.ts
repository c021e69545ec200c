import type { RequestListener } from "node:http";
import type { ServeOptions } from "../../../adapters/node.js";
import { listening, served, storeOf } from "../http/hosts.js";

export { token } from "../http/hosts.js";

/** Starts the real server on a store with these records, or those of the HTTP cases, and gives its address. */
export async function serveRecords(records?: Parameters<typeof storeOf>[0], options: Partial<ServeOptions> = {}) {
  const { url } = await served({ store: await storeOf(records), ...options });
  return url;
}

/** Starts a server that answers as nobody expects, and gives its address. */
export async function startServer(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(listener)}`;
}

/** Starts a server that always answers the same. */
export function startServerOf(body: string, status = 200, headers: Record<string, string> = {}): Promise<string> {
  return startServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
}
