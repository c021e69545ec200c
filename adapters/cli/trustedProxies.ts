import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";
import type { AdminRequest } from "../http/request.js";

/** @throws TypeError for what is neither an address nor a network */
export function requireProxy(address: string): void {
  proxyAddr.compile(address);
}

/**
 * Gives what tells the client of a request: the last address of X-Forwarded-For that is none of a proxy we trust. What stands
 * before it, the client may have written itself.
 */
export function clientAddressBehind(proxies: readonly string[]): (request: AdminRequest) => string {
  const isTrusted = proxyAddr.compile([...proxies]);
  return ({ raw }) => proxyAddr(raw as IncomingMessage, isTrusted);
}
