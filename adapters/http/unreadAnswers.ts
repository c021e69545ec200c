import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientOf } from "./clients.js";
import { Holdings } from "./holdings.js";
import { onOver } from "./over.js";

/** How long a client may take to read an answer, in milliseconds. */
const readTimeout = 30_000;
/** The most bytes of answers that wait for their clients, in the whole process. */
const mostBytes = 67_108_864;
/** The most bytes that count for one answer, so that a large one is not cut as soon as another waits beside it. */
const mostCounted = mostBytes / 2;
/**
 * About how much memory an answer takes beside its text and the head of its request. A client may send thousands of requests with short answers.
 */
const bytesBeside = 4_096;

/** The connections on which answers wait, with the bytes of these. */
const unread = new Holdings<Socket>(clientOf);

/** What hangs up on each, unless its client reads a whole answer before, and what forgets it when its client goes. */
const waits = new WeakMap<Socket, { deadline: NodeJS.Timeout; end: () => void }>();

/** Keeps an answer until its client has read it, and hangs up on clients that are late or keep too much waiting. */
export function awaitReader(response: ServerResponse, bodyBytes: number): void {
  const { req } = response;
  const { socket } = req;
  if (socket.destroyed) return;
  const bytes = Math.min(bodyBytes, mostCounted) + bytesBeside + headBytes(req);
  if (!waits.has(socket)) begin(socket);
  unread.add(socket, bytes);
  response.once("close", () => {
    const wait = waits.get(socket);
    if (wait === undefined) return;
    unread.add(socket, -bytes);
    if (unread.of(socket) === 0) forget(socket);
    else wait.deadline.refresh();
  });
  while (unread.all > mostBytes) {
    // The newest answer alone is not too much.
    const isLoser = (other: Socket) => other !== socket || unread.of(socket) > bytes;
    const loser = unread.ofMost().find(isLoser) ?? [...unread.holders()].find(isLoser);
    if (loser === undefined) return;
    forget(loser);
    loser.destroy();
  }
}

function begin(socket: Socket): void {
  const deadline = setTimeout(() => socket.destroy(), readTimeout).unref();
  const end = () => forget(socket);
  waits.set(socket, { deadline, end });
  // For answers behind others, only this event tells that the client has gone.
  socket.once("close", end);
}

function forget(socket: Socket): void {
  const wait = waits.get(socket);
  if (wait === undefined) return;
  clearTimeout(wait.deadline);
  socket.off("close", wait.end);
  waits.delete(socket);
  unread.letGo(socket);
}

/** Node keeps what a client has said in its request until the answer has gone. */
function headBytes({ rawHeaders, url = "" }: IncomingMessage): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, url.length);
}

/** What counts for an answer that comes in parts: about what lies between its sender and us. */
const bytesOfParts = 131_072;

/** Writes an answer that comes in parts, each when its client has taken the one before. */
export async function writeParts(response: ServerResponse, parts: ReadableStream<Uint8Array>): Promise<void> {
  const reader = parts.getReader();
  let isOver = false;
  let goOn: (() => void) | undefined;
  response.on("drain", () => goOn?.());
  onOver(response, () => {
    isOver = true;
    reader.cancel().catch(() => {});
    goOn?.();
  });
  try {
    for (let isCounted = false; !isOver; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (isOver || response.write(value)) continue;
      if (!isCounted) awaitReader(response, bytesOfParts);
      isCounted = true;
      await new Promise<void>((resolve) => {
        goOn = resolve;
        if (isOver) resolve();
      });
    }
    response.end();
  } catch {
    // The client is cut off, as we were. Otherwise it could take this for a whole answer.
    response.req.socket.destroy();
  }
}
