import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { jwtAuthenticator } from "../../../adapters/auth.js";
import type { ServeOptions } from "../../../adapters/node.js";
import { listening, served } from "./hosts.js";
import { adminUserID, secret } from "./request.js";

/** An upstream that reads and writes bytes. */
export interface RawUpstream {
  url: string;
  /** What came on each connection, in the order in which they were made; each byte is a character. */
  received: string[];
  connections: Socket[];
}

/**
 * Starts an upstream of bytes.
 *
 * @param answer called when bytes have come, with all that came on their connection
 */
export async function rawUpstream(answer: (received: string, socket: Socket) => void): Promise<RawUpstream> {
  const received: string[] = [];
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    const index = connections.push(socket) - 1;
    received.push("");
    socket.setEncoding("latin1").on("error", () => {});
    socket.on("data", (text: string) => {
      received[index] += text;
      answer(received[index] ?? "", socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, connections };
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
export function servedBeside(upstream: NonNullable<ServeOptions["upstream"]>, options: Partial<ServeOptions> = {}) {
  const authenticate = jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] });
  // Tests end while requests are under way.
  return served({ upstream, authenticate, observer: { onError() {} }, ...options });
}
