import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { NodeListener } from "./nodeListener.js";

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

/** Starts a server; rejects where it cannot listen. */
export async function startServer(listener: NodeListener, port: number, host: string): Promise<RunningServer> {
  let closed: Promise<void> | undefined;
  const server = createServer(
    { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
    listener,
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
