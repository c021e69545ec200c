import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyIsGone, GrowingBytes, incompleteBody } from "./body.js";
import type { Body, HttpAnswer, HttpRequest } from "./request.js";

/** A request of Node's http server, with what a framework may have added to it. */
type HostRequest = IncomingMessage & {
  /** What a parser of the host has made of the body. */
  body?: unknown;
};

/** How long a client may take to read its answer, in milliseconds. */
const readTimeout = 30_000;

/** How many bytes of bodies are in memory at once while the rest of them comes, in all requests together. */
const mostBytes = 67_108_864;
let bytesUnderWay = 0;

/** Node, by its own means: those of the Fetch standard take longer than the rest of a request. */
export function fromIncoming(incoming: HostRequest, response: ServerResponse): HttpRequest {
  return {
    method: incoming.method ?? "",
    path: pathOf(incoming.url ?? ""),
    header(name) {
      const value = incoming.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    raw: incoming,
    address: incoming.socket.remoteAddress,
    onGone: (listener) => response.once("close", () => response.writableFinished || listener()),
    async readBody(limit) {
      if (incoming.readableDidRead) return parsedBody(incoming, limit);
      // A parser of the host has found nothing to read.
      if (incoming.readableEnded) return { json: "" };
      // Nobody would hear of it any more.
      if (incoming.destroyed) throw incompleteBody();
      return await readIncoming(incoming, limit);
    },
  };
}

/** Writes an answer, unless the host has answered meanwhile or the client has gone. */
export function writeAnswer({ status, headers, body }: HttpAnswer, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const length = body === null ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length }).end(body);
  // An answer that nobody reads would be kept in memory.
  const deadline = setTimeout(() => response.destroy(), readTimeout).unref();
  response.once("close", () => clearTimeout(deadline));
}

/** The path of a request target, which is a path with a query or, rarely, a whole address; empty where it is neither. */
function pathOf(target: string): string {
  try {
    return new URL(target.startsWith("/") ? `http://localhost${target}` : target).pathname;
  } catch {
    return "";
  }
}

function parsedBody({ body }: HostRequest, limit: number): Body | undefined {
  if (body === undefined) {
    throw bodyIsGone("mount im-admin before what reads bodies, or leave what was read in request.body");
  }
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { value: body };
  return Buffer.byteLength(body) > limit ? undefined : { json: body };
}

function readIncoming(incoming: IncomingMessage, limit: number): Promise<Body | undefined> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > limit) return stop(() => resolve(undefined));
      if (bytesUnderWay + chunk.length > Math.max(mostBytes, limit)) {
        return stop(() =>
          reject(new Error(`requests hold more than ${mostBytes} bytes of bodies that have yet to come whole`)),
        );
      }
      bytesUnderWay += chunk.length;
      body.append(chunk);
    };
    const onEnd = () => stop(() => resolve({ json: body.bytes() }));
    const onCut = () => stop(() => reject(incompleteBody()));
    const listeners = { data: onData, end: onEnd, close: onCut, error: onCut };

    function stop(settle: () => void): void {
      bytesUnderWay -= body.length;
      for (const [event, listener] of Object.entries(listeners)) incoming.off(event, listener);
      // Reads on, since a client that is cut off while it sends may not see the answer; an error then is nobody's.
      incoming.on("error", () => {}).resume();
      settle();
    }
    for (const [event, listener] of Object.entries(listeners)) incoming.on(event, listener);
  });
}
