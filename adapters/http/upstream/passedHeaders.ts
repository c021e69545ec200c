import type { IncomingMessage } from "node:http";
import { framingOf } from "./framing.js";

/** Headers as they came, in their order and case: a name, its value, the next name, and so on. */
type RawHeaders = string[];

/** What concerns one connection alone, so that each of the two has its own. */
const ofConnection = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings"];

/** What says where a message ends and whom it is for. A client that names one of them in `Connection` must not have it dropped. */
const neverDropped = new Set(["content-length", "host", "expect"]);

const withoutLength = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"];

/**
 * The headers with which a request goes to the upstream.
 *
 * @param asks whether the upstream is asked if it wants the body
 */
export function requestHeaders(incoming: IncomingMessage, upstreamHost: string, asks: boolean): RawHeaders {
  const { headers, method = "", rawHeaders } = incoming;
  const framing = framingOf(incoming);
  const dropped = namesOfConnection(incoming).add("x-forwarded-for").add("te");
  if (framing !== "chunked") dropped.add("trailer");
  if (!asks) dropped.add("expect");
  const passed = without(rawHeaders, dropped).flat();
  if (headers.host === undefined) passed.push("Host", upstreamHost);
  if (framing === "chunked") passed.push("Transfer-Encoding", "chunked");
  // Node would announce chunks.
  if (framing === "none" && !withoutLength.includes(method)) passed.push("Content-Length", "0");
  if (/(?:^|,)\s*trailers\s*(?:,|$)/i.test(String(headers["te"]))) passed.push("TE", "trailers");
  const addresses = forwardedFor(incoming);
  if (addresses.length > 0) passed.push("X-Forwarded-For", addresses.join(", "));
  return passed;
}

/**
 * Whether the upstream is to say if it wants the body. Clients of HTTP/1.0 do not wait for that, and Node garbles bytes beyond
 * ASCII where it sends a head before all else.
 */
export function asksForBody({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion !== "1.0" && !/[\x80-\xff]/.test(rawHeaders.join(""));
}

/** The addresses that a request has come by, the client's first and that of this connection last. */
export function forwardedFor({ headers, socket }: IncomingMessage): string[] {
  const before = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const addresses = [...before.split(","), (socket.remoteAddress ?? "").replace(/^::ffff:/i, "")];
  return addresses.map((address) => address.trim()).filter((address) => address !== "");
}

/** The headers with which the upstream's answer goes to the client. */
export function answerHeaders(answer: IncomingMessage, request: IncomingMessage): [string, string][] {
  const dropped = namesOfConnection(answer);
  const { headers, statusCode = 0 } = answer;
  const hasBody = request.method !== "HEAD" && statusCode !== 204 && statusCode !== 304;
  const isChunked = hasBody && headers["transfer-encoding"] !== undefined && request.httpVersion !== "1.0";
  // Node refuses to announce what it cannot send.
  if (!isChunked) dropped.add("trailer");
  return without(answer.rawHeaders, dropped);
}

/** What stands after the last chunk, as Node's messages take it. */
export function trailersOf({ rawTrailers }: IncomingMessage): [string, string][] {
  return pairs(rawTrailers);
}

function namesOfConnection({ headers }: IncomingMessage): Set<string> {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set([...ofConnection, ...named.filter((name) => !neverDropped.has(name))]);
}

function without(rawHeaders: RawHeaders, dropped: ReadonlySet<string>): [string, string][] {
  return pairs(rawHeaders).filter(([name]) => !dropped.has(name.toLowerCase()));
}

function pairs(raw: RawHeaders): [string, string][] {
  const found: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) found.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return found;
}
