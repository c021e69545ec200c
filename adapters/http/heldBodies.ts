import type { IncomingMessage, ServerResponse } from "node:http";
import { clientOf } from "./clients.js";
import { Holdings } from "./holdings.js";
import { onOver } from "./over.js";

/** The most bytes in memory of bodies of requests that have yet to be answered, in all requests together. */
export const mostBytes = 16_777_216;

/** The requests that have yet to be answered, with the bytes of their bodies. */
const held = new Holdings<IncomingMessage>(clientOf);

/** The requests of which the whole body has come. */
const whole = new WeakSet<IncomingMessage>();

/** Holds a body until its request is answered, or its client has gone. */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  held.add(request, 0);
  onOver(response, () => held.letGo(request));
}

/** Takes note that the whole body has come. */
export function endBody(request: IncomingMessage): void {
  whole.add(request);
}

/**
 * Counts further bytes of a body. Where there is no room for them, the client that holds the most loses its oldest connection
 * of those that are still sending, perhaps this one. False if that client has none, and so there is no room.
 *
 * @param limit how long the body may be, in bytes
 */
export function growBody(request: IncomingMessage, bytes: number, limit: number): boolean {
  // It may have been cut off, with more of it read already.
  if (request.socket.destroyed) return true;
  while (held.all + bytes > Math.max(mostBytes, limit)) {
    const loser = held.ofMost().find((other) => !whole.has(other));
    if (loser === undefined) return false;
    loser.socket.destroy();
    held.letGo(loser);
    if (loser.socket === request.socket) return true;
  }
  held.add(request, bytes);
  return true;
}
