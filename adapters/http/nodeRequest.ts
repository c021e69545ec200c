import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyIsGone, GrowingBytes, incompleteBody } from "./body.js";
import type { Body, HttpAnswer, HttpRequest } from "./request.js";

/** A request of Node's http server, with what a framework may have added to it. */
type HostRequest = IncomingMessage & {
  /** What a parser of the host has made of the body. */
  body?: unknown;
};

/** Node, by its own means: those of the Fetch standard take longer than the rest of a request. */
export function fromIncoming(incoming: HostRequest): HttpRequest {
  return {
    method: incoming.method ?? "",
    path: pathOf(incoming.url ?? ""),
    header(name) {
      const value = incoming.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    raw: incoming,
    async readBody(limit) {
      if (incoming.readableDidRead) return parsedBody(incoming, limit);
      // Nobody would hear of it any more.
      if (incoming.destroyed) throw incompleteBody();
      return await readIncoming(incoming, limit);
    },
  };
}

/** Writes an answer, unless the host has answered already or the client has gone. */
export function writeAnswer({ status, headers, body }: HttpAnswer, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const length = body === null ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length }).end(body);
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
      if (body.length + chunk.length <= limit) {
        body.append(chunk);
        return;
      }
      // Reads on, since a client that is cut off while it sends may not see the answer.
      incoming.off("data", onData).resume();
      resolve(undefined);
    };
    incoming.on("data", onData);
    const onCut = () => reject(incompleteBody());
    incoming.once("end", () => {
      incoming.off("close", onCut);
      resolve({ json: body.bytes() });
    });
    incoming.once("close", onCut);
    incoming.once("error", onCut);
  });
}
