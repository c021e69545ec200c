import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The bytes of bodies in memory, by the connections of their requests, which have yet to be answered. */
const held = new WeakMap<Socket, number>();
let heldInAll = 0;

/** How many bytes all bodies have that are in memory. */
export function bytesHeld(): number {
  return heldInAll;
}

/** Counts bytes of a body until its request is answered, or its connection ends. Returns what counts further ones. */
export function holdUntilAnswered(response: ServerResponse): (bytes: number) => void {
  const { socket } = response.req;
  let own = 0;
  if (!held.has(socket)) {
    held.set(socket, 0);
    // An answer behind another one does not learn that the client has gone.
    socket.once("close", () => count(socket, -(held.get(socket) ?? 0)));
  }
  response.once("close", () => {
    if (!socket.destroyed) count(socket, -own);
  });
  return (bytes) => {
    if (socket.destroyed) return;
    own += bytes;
    count(socket, bytes);
  };
}

function count(socket: Socket, bytes: number): void {
  held.set(socket, (held.get(socket) ?? 0) + bytes);
  heldInAll += bytes;
}
