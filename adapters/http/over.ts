import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What waits for the end of a connection. One listener does for all: a client may send many requests at once. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function once, when an answer has been written or its client has gone. The answer itself does not tell the latter
 * while it waits behind others on its connection.
 */
export function onOver(response: ServerResponse, listener: () => void): void {
  const { socket } = response.req;
  const listeners = waiting.get(socket) ?? waitFor(socket);
  function end(): void {
    if (listeners.delete(end)) listener();
  }
  listeners.add(end);
  response.once("close", end);
  if (socket.destroyed) end();
}

function waitFor(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>();
  waiting.set(socket, listeners);
  socket.once("close", () => {
    for (const end of listeners) end();
  });
  return listeners;
}
