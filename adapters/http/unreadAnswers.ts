import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a client may take to read its answer, in milliseconds. */
const readTimeout = 30_000;
/** How many bytes of answers may wait for their clients at once, in the whole process. */
const mostBytes = 67_108_864;
/** How many bytes of an answer count, so that a large one is not cut as soon as another waits beside it. */
const mostCounted = mostBytes / 2;
/** What an answer takes in memory beside its text, about: a client may send thousands of requests that have short ones. */
const bytesBeside = 4_096;

/** What waits on a connection for its client. */
interface Unread {
  bytes: number;
  /** Hangs up, unless an answer is read whole before. */
  deadline: NodeJS.Timeout;
  forget(): void;
}

/** The connections on which answers wait; that which has waited longest comes first. */
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
    // The newest may be larger than all that may wait.
    if (bytesUnread <= mostBytes || (oldest === socket && oldestBytes === bytes)) return;
    forget();
    oldest.destroy();
  }
}

function unreadOn(socket: Socket): Unread {
  function forget(): void {
    clearTimeout(waiting.deadline);
    // Of answers that have others before them, nobody else says that the client has gone.
    socket.off("close", forget);
    if (unread.delete(socket)) bytesUnread -= waiting.bytes;
  }
  const waiting: Unread = { bytes: 0, deadline: setTimeout(() => socket.destroy(), readTimeout).unref(), forget };
  socket.once("close", forget);
  unread.set(socket, waiting);
  return waiting;
}
