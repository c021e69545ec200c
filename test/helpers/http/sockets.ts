import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Opens a connection to a server on this machine, from 127.0.0.1 or another address of this machine. */
export async function openSocket(port: number, localAddress?: string): Promise<Socket> {
  // For an address that is given, the system looks for a free port among all that were in use for a minute.
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  // A server may hang up while the client is still writing.
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends bytes as they are, and gives what comes back until the server closes the connection. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = await openSocket(port);
  socket.write(bytes);
  return receive(socket);
}

/** What comes until the server closes the connection. */
export async function receive(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  return Buffer.concat(chunks).toString();
}

/** Resolves when the connection is closed, in whatever way. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.resume().once("close", () => resolve()));
}

/** Takes an answer apart: its status, 0 where there is no answer, and its body, without the framing of chunks. */
export function startLine(answer: string): { status: number; body: string } {
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, body: body.replace(/^[0-9a-f]+\r\n|(?:^|\r\n)0$/g, "") };
}

/**
 * The bytes of a request.
 *
 * @param line its method and target
 * @param headers further ones than Host, each with its value
 * @param body sent with its length
 */
export function requestBytes(line: string, headers: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return `${[`${line} HTTP/1.1`, "Host: x", ...headers, ...length].join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** The header of a request after whose answer the connection ends. */
export const close = "Connection: close";

/** A port on which nobody listens. The system gives it to nobody who asks for any: it gives those from 32768 on. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768);
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, "close");
  return port;
}
