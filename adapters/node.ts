import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { toNodeHandler } from "srvx/node";
import type { FetchHandlerOptions } from "./fetch.js";
import { discardTimeout } from "./http/body.js";
import { createHandlers, type FetchHandler, toFetchHandler } from "./http/handlers.js";
import { nodePlatform } from "./http/nodePlatform.js";
import { pathOf } from "./http/path.js";

/** Answers a request of Node's http or https server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Mounts the six functions on a `node:http` or `node:https` server, or on a framework that takes its listeners. The
 * request's body must not have been read before.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export function createNodeListener(options: FetchHandlerOptions): NodeListener {
  return toListener(nodeHandler(options));
}

/** What {@link serve} takes beside the options of every adapter. */
export interface ServeOptions extends FetchHandlerOptions {
  /**
   * The port to listen on; 0 picks a free one.
   * @default 10002
   */
  port?: number;
  /**
   * The address to listen on: `0.0.0.0` for every IPv4 address, `::` for IPv6 as well.
   * @default "127.0.0.1"
   */
  host?: string;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it answers, such as `http://127.0.0.1:10002`. */
  url: string;
  port: number;
  /** Accepts no more connections, lets the requests under way finish for up to 5 s, and ends. The store stays open. */
  close(): Promise<void>;
}

/** How long a client may take for its headers, and for its whole request, in milliseconds. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;
/** How long an idle connection is kept, in milliseconds: longer than the usual 60 s of load balancers. */
const keepAliveTimeout = 65_000;
/** How long the requests under way may take when the server closes: shorter than the 10 s that Docker gives a container. */
const closeTimeout = 5_000;
/** How often the timeouts are looked at. */
const connectionsCheckingInterval = 2_000;

/**
 * Starts a server with the six functions, and `GET /healthz`, which answers 200 while the store answers.
 *
 * Rejects where it cannot listen, such as on a port that is in use.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export async function serve({ port = 10002, host = "127.0.0.1", ...options }: ServeOptions): Promise<RunningServer> {
  const handler = nodeHandler(options);
  let closed: Promise<void> | undefined;
  const server = createServer(
    { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
    toListener((request) => (isHealthCheck(request) ? health(options.store) : handler(request))),
  );
  // Connections without a request so far, which browsers open in advance and closeIdleConnections passes over.
  const unused = new Set<Socket>();
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    unused.delete(socket);
    // A connection that was busy when the server closed would otherwise be kept until it times out.
    response.once("close", () => closed && server.closeIdleConnections());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // An "error" after that concerns one connection that could not be accepted, not the server.
  server.removeAllListeners("error").on("error", () => {});
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actualPort}`,
    port: actualPort,
    close() {
      closed ??= new Promise((resolve) => {
        // Node looks at no timeout any more once the server closes.
        const deadline = setTimeout(() => server.closeAllConnections(), closeTimeout);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        for (const socket of unused) socket.destroy();
      });
      return closed;
    },
  };
}

function nodeHandler(options: FetchHandlerOptions): FetchHandler {
  return toFetchHandler(createHandlers(options, nodePlatform));
}

function toListener(handler: (request: Request) => Response | Promise<Response>): NodeListener {
  const listener = toNodeHandler(handler) as NodeListener;
  return (request, response) => {
    // The request has let go of its socket when the response is finished.
    const { socket } = request;
    response.once("finish", () => endUpload(request, socket));
    listener(request, response);
  };
}

/** Hangs up on a client that goes on sending after its answer. Until then Node reads what nobody else does. */
function endUpload(request: IncomingMessage, socket: Socket): void {
  if (request.complete) return;
  setTimeout(() => request.complete || socket.destroy(), discardTimeout).unref();
}

function isHealthCheck(request: Request): boolean {
  return request.method === "GET" && pathOf(request) === "/healthz";
}

/** The store answers when it can count its notification accounts, which costs next to nothing. */
async function health(store: FetchHandlerOptions["store"]): Promise<Response> {
  try {
    await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
    return Response.json({ status: "ok" });
  } catch {
    return Response.json({ status: "the store does not answer" }, { status: 503 });
  }
}
