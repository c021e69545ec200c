import type { IncomingMessage, ServerResponse } from "node:http";
import { onOver } from "./over.js";

/** The most bytes in memory of bodies of requests that have yet to be answered, in all requests together. */
export const mostBytes = 16_777_216;

/** A body in memory. */
export interface HeldBody {
  bytes: number;
  isWhole: boolean;
}

/** The bodies of requests that have yet to be answered. The oldest come first. */
const held = new Map<IncomingMessage, HeldBody>();
let bytesHeld = 0;

/** Holds a body until its request is answered, or its client has gone. */
export function holdBody(request: IncomingMessage, response: ServerResponse): HeldBody {
  const body = { bytes: 0, isWhole: false };
  held.set(request, body);
  onOver(response, () => letGo(request));
  return body;
}

/**
 * Counts further bytes of a body. Where there is no room for them, the client that holds the most loses its oldest connection
 * of those that are still sending. False if that is the one of the body itself.
 *
 * @param limit how long the body may be, in bytes
 */
export function growBody(request: IncomingMessage, bytes: number, limit: number): boolean {
  const body = held.get(request);
  while (body !== undefined && bytesHeld + bytes > Math.max(mostBytes, limit)) {
    const loser = oldestOfMost();
    if (loser === undefined || loser.socket === request.socket) return false;
    loser.socket.destroy();
    letGo(loser);
  }
  if (body === undefined) return false;
  body.bytes += bytes;
  bytesHeld += bytes;
  return true;
}

function letGo(request: IncomingMessage): void {
  bytesHeld -= held.get(request)?.bytes ?? 0;
  held.delete(request);
}

/** The oldest request that is still sending, of the address whose bodies have the most bytes. */
function oldestOfMost(): IncomingMessage | undefined {
  const byAddress = new Map<string | undefined, number>();
  for (const [{ socket }, { bytes }] of held) {
    byAddress.set(socket.remoteAddress, (byAddress.get(socket.remoteAddress) ?? 0) + bytes);
  }
  const most = Math.max(...byAddress.values());
  for (const [request, { isWhole }] of held) {
    if (!isWhole && byAddress.get(request.socket.remoteAddress) === most) return request;
  }
  return undefined;
}
