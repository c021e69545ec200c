import type { IncomingMessage } from "node:http";
import { InvalidArgumentError, type Option } from "commander";
import proxyAddr from "proxy-addr";
import { option } from "./flags.js";

/** Tells one client from another. */
export type ClientAddress = (request: IncomingMessage) => string;

export function trustProxyOption(): Option {
  return option(
    "--trust-proxy <header=addresses>",
    "the header in which proxies at these addresses or networks tell the client's: x-forwarded-for=127.0.0.1,10.0.0.0/8",
  ).argParser(parse);
}

function parse(setting: string): ClientAddress {
  const [, header = "", addresses = ""] = /^([\w-]+)=(.*)$/s.exec(setting) ?? [];
  if (header === "") throw new InvalidArgumentError("It must be such as x-forwarded-for=127.0.0.1,10.0.0.0/8.");
  try {
    return clientAddressBehind(header, listed(addresses));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Returns the last address that belongs to no trusted proxy. The client may have written the addresses before it. */
function clientAddressBehind(header: string, proxies: string[]): ClientAddress {
  const isTrusted = proxyAddr.compile(proxies);
  return (request) => {
    const { remoteAddress = "" } = request.socket;
    const addresses = [
      remoteAddress,
      ...listed(String(request.headers[header.toLowerCase()] ?? ""))
        .map(withoutPort)
        .reverse(),
    ];
    return addresses.find((address, index) => !isTrusted(address, index)) ?? remoteAddress;
  };
}

function listed(text: string): string[] {
  return text.split(",").map((address) => address.trim());
}

/** Some proxies add the port, which differs for each connection of a client. */
function withoutPort(address: string): string {
  return address.replace(/^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/, "$1$2");
}
