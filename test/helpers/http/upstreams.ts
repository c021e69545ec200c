import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { jwtAuthenticator } from "../../../adapters/auth.js";
import type { ServeOptions, UpstreamOptions } from "../../../adapters/node.js";
import { listening, recorder, served } from "./hosts.js";
import { adminUserID, secret } from "./request.js";
import { exchange } from "./sockets.js";

/** A whole answer. */
export const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
/** The answer to the question whether a token is an administrator's: it is. */
export const administrators = 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"errCode":0}';

/** How an upstream of bytes answers: so, and then it hangs up, or as a function does that is called when bytes have come. */
export type Answer = string | ((received: string, socket: Socket) => unknown);

/**
 * Starts an upstream that reads and writes bytes, each of which is a character.
 *
 * @param answer given all that came on its connection, without the question about a token
 * @param answerQuestion how it answers that
 */
export async function rawUpstream(
  answer: Answer = () => {},
  answerQuestion = (socket: Socket): unknown => socket.write(administrators),
) {
  const received: string[] = [];
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    const index = connections.push(socket) - 1;
    received.push("");
    socket.setEncoding("latin1").on("error", () => {});
    socket.on("data", (text: string) => {
      received[index] += text;
      if (received[index]?.endsWith('{"checkUserIDs":["imAdmin"]}')) answerQuestion(socket);
      else if (typeof answer !== "string") answer(received[index] ?? "", socket);
      else if (socket.writable) socket.end(Buffer.from(answer, "latin1"));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  /** All that came, on the connections in the order in which they were made. */
  const all = () => received.join("");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, connections, all };
}

/**
 * Starts an upstream that answers so.
 *
 * @param answerOf what it answers to the question whether a token is an administrator's
 */
export async function httpUpstream(
  listener: RequestListener,
  answerOf: (token: string) => string = () => '{"errCode":0,"errMsg":"","errDlt":"","data":{"results":[]}}',
): Promise<string> {
  return `http://127.0.0.1:${await listening((request, response) => {
    if (request.url !== "/user/account_check") return listener(request, response);
    request.resume().on("end", () => response.end(answerOf(String(request.headers["token"]))));
  })}`;
}

/** Starts im-admin beside an upstream, for the administrator's token of `tokens`. */
export function servedBeside(upstream: string | UpstreamOptions, options: Partial<ServeOptions> = {}) {
  const authenticate = jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] });
  const given = typeof upstream === "string" ? { url: upstream } : upstream;
  // Tests end while requests are under way.
  return served({ upstream: given, authenticate, observer: { onError() {} }, ...options });
}

/** Starts im-admin beside an upstream of bytes. Gives both, and what the observer was told. */
export async function besideBytes(
  answer?: Answer,
  { timeoutMs, ...options }: Partial<ServeOptions> & { timeoutMs?: number } = {},
) {
  const { errors, observer } = recorder();
  const upstream = await rawUpstream(answer);
  const { port } = await servedBeside({ url: upstream.url, timeoutMs }, { observer, ...options });
  return { ...upstream, port, errors, exchange: (sent: string) => exchange(port, sent) };
}
