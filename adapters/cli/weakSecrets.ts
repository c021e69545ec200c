import { BlockList, isIP } from "node:net";
import type { Option } from "commander";
import { option, type Values } from "./flags.js";

/** Attackers can guess a secret with fewer characters. */
export const leastCharacters = 16;

/** Tells how to make a strong secret. */
export const strongSecret = "make one with openssl rand -base64 32";

export function allowWeakSecretOption(): Option {
  return option("--allow-weak-secret", "listen beyond this machine with a secret of fewer than 16 characters");
}

export function isWeak(secret: string): boolean {
  return [...secret].length < leastCharacters;
}

/** The message if a secret is weak and other machines can reach the server; otherwise undefined. */
export function weakSecretRefusal(secrets: Values, host: string): string | undefined {
  if (!secrets.some(isWeak) || isLoopback(host)) return undefined;
  const weak = `a secret has fewer than ${leastCharacters} characters, and other machines may reach ${host}`;
  return `${weak}: ${strongSecret}, or give --allow-weak-secret`;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether only this machine can reach an address. Of names, it knows only localhost. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === "localhost";
  return loopback.check(host, version === 4 ? "ipv4" : "ipv6");
}
