import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onOver } from "./over.js";

/** How long a client may take to read an answer, in milliseconds. */
const readTimeout = 30_000;
/** The most bytes of answers that wait for their clients, in the whole process. */
const mostBytes = 67_108_864;
/** The most bytes that count for one answer, so that a large one is not cut as soon as another waits beside it. */
const mostCounted = mostBytes / 2;
/**
 * About how much memory an answer takes beside its text. A client may send thousands of requests with short answers.
 */
const bytesBeside = 4_096;

/** The answers that wait on a connection. */
interface Unread {
  bytes: number;
  /** Hangs up, unless the client reads a whole answer before. */
  deadline: NodeJS.Timeout;
  forget(): void;
}

/** The connections on which answers wait. The one that has waited longest comes first. */
const unread = new Map<Socket, Unread>();
let bytesUnread = 0;

/** Keeps an answer until its client has read it, and hangs up on clients that are late or keep too much waiting. */
export function awaitReader(response: ServerResponse, bodyBytes: number): void {
  const { socket } = response.req;
  if (socket.destroyed) return;
  const bytes = Math.min(bodyBytes, mostCounted) + bytesBeside;
  const waiting = unread.get(socket) ?? unreadOn(socket);
  waiting.bytes += bytes;
  bytesUnread += bytes;
  response.once("close", () => {
    if (unread.get(socket) !== waiting) return;
    waiting.bytes -= bytes;
    bytesUnread -= bytes;
    if (waiting.bytes === 0) waiting.forget();
    else waiting.deadline.refresh();
  });
  for (const [oldest, { bytes: oldestBytes, forget }] of unread) {
    // The newest answer alone may be larger than the limit.
    if (bytesUnread <= mostBytes || (oldest === socket && oldestBytes === bytes)) return;
    forget();
    oldest.destroy();
  }
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

function unreadOn(socket: Socket): Unread {
  function forget(): void {
    clearTimeout(waiting.deadline);
    // For answers behind others, only this event tells that the client has gone.
    socket.off("close", forget);
    if (unread.delete(socket)) bytesUnread -= waiting.bytes;
  }
  const waiting: Unread = { bytes: 0, deadline: setTimeout(() => socket.destroy(), readTimeout).unref(), forget };
  socket.once("close", forget);
  unread.set(socket, waiting);
  return waiting;
}
