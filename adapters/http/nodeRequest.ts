import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyIsGone, GrowingBytes, incompleteBody } from "./body.js";
import { endBody, growBody, holdBody, mostBytes } from "./heldBodies.js";
import { onOver } from "./over.js";
import { pathOf } from "./path.js";
import type { Body, HttpAnswer, HttpRequest } from "./request.js";
import { inTurn, inTurnIfLarge } from "./turns.js";
import { awaitReader, writeParts } from "./unreadAnswers.js";

/** A request of Node's http server, perhaps with properties of a framework. */
type HostRequest = IncomingMessage & {
  /** The body as a parser of the host has parsed it. */
  body?: unknown;
};

/** A target that is a plain path and need not be parsed. */
const plainPath = /^(?:\/\w+)+$/;

/** Uses Node's own classes: those of the Fetch standard would take longer than all else of a request. */
export function fromIncoming(incoming: HostRequest, response: ServerResponse): HttpRequest {
  const { method = "", url = "" } = incoming;
  return {
    method,
    path: plainPath.test(url) ? url : pathOf(url),
    header(name) {
      const value = incoming.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    raw: incoming,
    address: incoming.socket.remoteAddress,
    onGone: (listener) => onOver(response, () => response.writableFinished || listener()),
    readBody: (limit) => readIncoming(incoming, response, limit),
    inTurn,
  };
}

/** Writes an answer, unless the host has answered meanwhile or the client has gone. */
export function writeAnswer({ status, headers, body }: HttpAnswer, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    if (body instanceof ReadableStream) body.cancel();
    return;
  }
  const head = { "x-content-type-options": "nosniff", ...headers };
  if (body instanceof ReadableStream) {
    void writeParts(response.writeHead(status, head), body);
    return;
  }
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const length = body === null ? undefined : { "content-length": bytes };
  response.writeHead(status, { ...head, ...length }).end(body);
  // The system has taken nearly every answer by now. An answer that nobody reads stays in memory.
  if (!response.writableEnded || response.writableLength > 0) awaitReader(response, bytes);
}

function parsedBody({ body }: HostRequest, limit: number): Body | undefined {
  if (body === undefined) {
    throw bodyIsGone("mount im-admin before what reads bodies, or leave what was read in request.body");
  }
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { value: body };
  return Buffer.byteLength(body) > limit ? undefined : { json: body };
}

function readIncoming(incoming: HostRequest, response: ServerResponse, limit: number): Promise<Body | undefined> {
  return new Promise((resolve, reject) => {
    if (incoming.readableDidRead) return resolve(parsedBody(incoming, limit));
    // The host has read the body, and its parser found nothing in it.
    if (incoming.readableEnded) return resolve({ json: "" });
    // The client has gone.
    if (incoming.destroyed) return reject(incompleteBody());
    const expected = Math.min(Number(incoming.headers["content-length"] ?? 0), limit);
    let body: GrowingBytes | undefined = new GrowingBytes(expected);
    let isWhole = false;
    holdBody(incoming, response);
    onOver(response, () => stop(() => reject(incompleteBody())));

    /**
     * Stops reading: the rest is read and dropped, since a client that is cut off while it sends may not see the
     * answer.
     */
    function stop(settle: (body: GrowingBytes) => void): void {
      if (body === undefined) return;
      settle(body);
      body = undefined;
    }
    const cut = () => isWhole || stop(() => reject(incompleteBody()));

    incoming.on("data", (given: Buffer | string) => {
      if (body === undefined) return;
      // It is text if the host has set an encoding.
      const chunk = typeof given === "string" ? Buffer.from(given, incoming.readableEncoding ?? "utf8") : given;
      if (body.length + chunk.length > limit) return stop(() => resolve(undefined));
      if (!growBody(incoming, chunk.length, limit)) {
        return stop(() =>
          reject(new Error(`requests that have yet to be answered hold more than ${mostBytes} bytes of bodies`)),
        );
      }
      body.append(chunk);
    });
    incoming.on("end", () => {
      isWhole = true;
      endBody(incoming);
      inTurnIfLarge(body?.length ?? 0, () => stop((body) => resolve({ json: body.bytes() })));
    });
    incoming.on("close", cut);
    incoming.on("error", cut);
    // The host may have paused the request to lose nothing before it is read.
    incoming.resume();
  });
}
