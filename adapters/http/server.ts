import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, Server, type Socket } from "node:net";
import type { NodeListener } from "./nodeListener.js";

/** A server that listens. */
export interface RunningServer {
  /** Where it answers, such as `http://127.0.0.1:10002`. */
  url: string;
  port: number;
  /**
   * Accepts no more connections, answers what comes on the others for half a second, lets the requests under way finish
   * for up to 5 s, and ends. The store stays open.
   */
  close(): Promise<void>;
}

/** How long a client may take for its headers, and for its whole request, in milliseconds. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;
/** How long an idle connection is kept, in milliseconds: longer than the usual 60 s of load balancers. */
const keepAliveTimeout = 65_000;
/** How many connections are open at once; further ones are closed at once. */
const maxConnections = 2_000;
/** How long clients may go on using their connections when the server closes, in milliseconds, each for one request. */
const lastRequestTimeout = 500;
/** How long the requests under way may take when the server closes: shorter than the 10 s that Docker gives a container. */
const closeTimeout = 5_000;
/** How often the timeouts are looked at. */
const connectionsCheckingInterval = 2_000;

/** Starts a server; rejects where it cannot listen. */
export async function startServer(listener: NodeListener, port: number, host: string): Promise<RunningServer> {
  let closed: Promise<void> | undefined;
  const server = createServer({ headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval });
  server.maxConnections = maxConnections;
  /** The last answer on each connection, which may be under way. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  server.on("connection", (socket) => {
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    connections.set(request.socket, response);
    if (closed !== undefined) endConnection(response);
    listener(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // An "error" after that concerns one connection that could not be accepted, not the server.
  server.removeAllListeners("error").on("error", () => {});
  const { address, family, port: actualPort } = server.address() as AddressInfo;

  function close(): Promise<void> {
    for (const response of connections.values()) if (response !== undefined) endConnection(response);
    return new Promise((resolve) => {
      const idle = setTimeout(() => {
        server.closeIdleConnections();
        // Connections without a request so far, which browsers open in advance and closeIdleConnections passes over.
        for (const [socket, response] of connections) if (response === undefined) socket.destroy();
      }, lastRequestTimeout);
      const deadline = setTimeout(() => server.closeAllConnections(), closeTimeout);
      // The close() of an http server would close idle connections at once, also one on which a request is on its way.
      Server.prototype.close.call(server, () => {
        clearTimeout(idle);
        clearTimeout(deadline);
        server.close();
        resolve();
      });
    });
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

/** Tells the client with the answer that the connection ends, so that it sends no further request, which would be lost. */
function endConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
