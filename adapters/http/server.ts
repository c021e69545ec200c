import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, Server, type Socket } from "node:net";
import { tellClient } from "./clients.js";
import { Connections, endAfter } from "./connections.js";
import type { NodeListener } from "./nodeListener.js";

/** A server that listens. */
export interface RunningServer {
  /** The address of the server, such as `http://127.0.0.1:10002`. */
  url: string;
  port: number;
  /**
   * Accepts no more connections, answers requests on open ones for half a second, lets requests under way finish for up
   * to 5 s, and ends. The store stays open.
   */
  close(): Promise<void>;
}

/** How long a client may take for its headers, and for its whole request, in milliseconds. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;
/** How long an idle connection is kept, in milliseconds: longer than the usual 60 s of load balancers. */
const keepAliveTimeout = 65_000;
/** How many connections may be open at once. */
const mostConnections = 2_000;
/** How long clients may still send one request on their connections when the server closes, in milliseconds. */
const lastRequestTimeout = 500;
/**
 * How long requests under way may take when the server closes. It is shorter than the 10 s that Docker gives a
 * container.
 */
const closeTimeout = 5_000;
/** How often Node checks the timeouts. */
const connectionsCheckingInterval = 2_000;

/** The options of a server. */
interface ServerOptions {
  port: number;
  host: string;
  /** Whether new connections are accepted for half a second while the server closes. */
  acceptsWhileClosing?: boolean;
  /** Learns of each connection. */
  onConnection?: ((socket: Socket) => void) | undefined;
  /** The address of a request's client, behind proxies that can be trusted. */
  clientAddress?: ((request: IncomingMessage) => string) | undefined;
}

/** Starts a server; rejects if it cannot listen. */
export async function startServer(
  listener: NodeListener,
  { port, host, acceptsWhileClosing = false, onConnection, clientAddress }: ServerOptions,
): Promise<RunningServer> {
  let closed: Promise<void> | undefined;
  const server = createServer({ headersTimeout, keepAliveTimeout, connectionsCheckingInterval, requestTimeout });
  const connections = new Connections(server, mostConnections);
  if (onConnection) server.on("connection", onConnection);
  server.on("request", (request, response) => {
    if (clientAddress) tellClient(request, clientAddress(request));
    if (!connections.admit(request, response)) return;
    if (closed !== undefined) endAfter(response);
    listener(request, response);
  });
  // Otherwise Node would ask for every body, also one that will be refused.
  server.on("checkContinue", (request, response) => {
    request.once("resume", () => response.headersSent || response.writeContinue());
    server.emit("request", request, response);
  });
  // Otherwise Node would answer other expectations by 417, without an envelope.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // A later "error" is about one connection that could not be accepted, not about the server.
  server.removeAllListeners("error").on("error", () => {});
  const { address, family, port: actualPort } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    connections.endAfterAnswers();
    const timers = [setTimeout(() => server.closeAllConnections(), closeTimeout)];
    const isLate = new Promise((resolve) => timers.push(setTimeout(resolve, lastRequestTimeout)));
    if (acceptsWhileClosing) await isLate;
    // The close() of an http server would close idle connections at once, although a request may be on its way.
    const isClosed = new Promise((resolve) => Server.prototype.close.call(server, resolve));
    await Promise.race([isLate, isClosed]);
    server.closeIdleConnections();
    connections.closeUnused();
    await isClosed;
    for (const timer of timers) clearTimeout(timer);
    server.close();
  }

  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actualPort}`,
    port: actualPort,
    close() {
      closed ??= close();
      return closed;
    },
  };
}
