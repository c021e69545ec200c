import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { CallReport, Observer } from "../../src/observer.js";
import { isHealthPath } from "../http/nodeListener.js";
import type { NodeListener } from "../node.js";

/** The facts that the observer learns of a request's call. */
interface Learned {
  call?: Omit<CallReport, "durationMs">;
  /** The cause of an unforeseen failure. */
  err?: unknown;
  /** Whether the request's line is written. If the client leaves early, that is before its call is over. */
  isLogged?: boolean;
}

/** Logs each request in one line, with the answer and the facts that the observer learns meanwhile. */
export interface RequestLog {
  /** Wraps a listener, and logs the requests that it answers. */
  listen(listener: NodeListener): NodeListener;
  /** Learns of the call of a request. A call without a request, or after its line, gets a line of its own. */
  observer: Observer;
}

/** The most characters of a path and of an operationID, which clients choose. */
const mostOfPath = 1024;
const mostOfOperationID = 256;

/** The lines have no query, no body and no header but operationID, since these may contain secrets and tokens. */
export function requestLog(logger: Logger): RequestLog {
  const requests = new AsyncLocalStorage<Learned>();
  /** The bytes that a connection had sent when its last answer was complete. */
  const sent = new WeakMap<Socket, number>();

  function current(): Learned | undefined {
    const learned = requests.getStore();
    return learned?.isLogged ? undefined : learned;
  }

  function bytesOfAnswer(socket: Socket): number {
    const before = sent.get(socket) ?? 0;
    sent.set(socket, socket.bytesWritten);
    return socket.bytesWritten - before;
  }

  function logAtEnd(request: IncomingMessage, response: ServerResponse, learned: Learned): void {
    const { method, socket } = request;
    const path = pathOf(request.url ?? "");
    const operationID = String(request.headers["operationid"] ?? "").slice(0, mostOfOperationID);
    const start = performance.now();
    let answer: { status: number; bytes: number } | undefined;
    // This runs before Node's own listener, which begins to send the next answer on this connection.
    response.prependOnceListener("finish", () => {
      answer = { status: response.statusCode, bytes: bytesOfAnswer(socket) };
    });
    response.once("close", () => {
      const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
      learned.isLogged = true;
      const failure = "err" in learned && { err: learned.err };
      const line = { method, path, ...answer, durationMs, ...learned.call, operationID, ...failure };
      const message = answer === undefined ? "the connection was cut before the answer" : "request";
      logger[levelOf(path, answer?.status, learned)](line, message);
    });
  }

  return {
    listen: (listener) => (request, response) => {
      const learned: Learned = {};
      logAtEnd(request, response, learned);
      requests.run(learned, listener, request, response);
    },
    observer: {
      onCall(report) {
        const { durationMs: _, ...call } = report;
        const learned = current();
        if (learned === undefined) logger.info(report, "call");
        else learned.call = call;
      },
      onError({ error, ...report }) {
        const learned = current();
        if (learned === undefined) logger.error({ ...report, err: error }, "unforeseen failure");
        else learned.err = error;
      },
      onUnreadable(report) {
        logger.warn(report, "fields of your tables cannot be read");
      },
    },
  };
}

/** Load balancers check the health again and again. */
function levelOf(path: string, status: number | undefined, learned: Learned): "debug" | "info" | "error" {
  if ("err" in learned || (status !== undefined && status >= 500)) return "error";
  return isHealthPath(path) && status === 200 ? "debug" : "info";
}

/** The path of a request's target. The target may be a whole URL, even with a password. */
function pathOf(target: string): string {
  const [path = ""] = target.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/, 1);
  return path.slice(0, mostOfPath);
}
