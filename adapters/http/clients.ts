import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** The addresses of clients that a trusted proxy has told, by request and by connection. */
const told = new WeakMap<IncomingMessage | Socket, string>();

/** Remembers whose a request is that came through a proxy, and so, whose its connection is by now. */
export function tellClient(request: IncomingMessage, address: string): void {
  told.set(request, address);
  told.set(request.socket, address);
}

/** The client of a request or a connection. */
export function clientOf(of: IncomingMessage | Socket): string {
  const { remoteAddress = "" } = "socket" in of ? of.socket : of;
  return networkOf(told.get(of) ?? remoteAddress);
}

/**
 * What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, since one host has all the
 * others.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address.replace(/^::ffff:/i, "");
  const [head = [], tail] = address.split("::").map((groups) => groups.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(Math.max(0, 8 - head.length - (tail?.length ?? 8))).fill("0");
  return [...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(":");
}
