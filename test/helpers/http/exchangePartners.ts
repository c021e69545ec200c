import type { EventEmitter } from "node:events";
import {
  type Agent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingMessage,
  type ServerResponse,
} from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { deferred } from "../deferred.js";
import { Comparison, type Exchange, type Message } from "./exchanges.js";

/** What somebody has received: whether all bytes were right, how many there were, and whether the message was whole. */
export interface Received {
  start: string;
  headers: string[];
  isRight: boolean;
  length: number;
  isWhole: boolean;
  trailers: string[];
}

const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding", "trailer", "content-length"]);

/** Headers without those of the connection, and without those that say where the message ends. */
export function withoutFraming(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !ofConnection.has(String(raw[index - (index % 2)]).toLowerCase()));
}

/** The upstream's side of exchanges, which requests name by their number. */
export class UpstreamSide {
  readonly #exchanges: readonly Exchange[];
  readonly received = new Map<number, Received>();
  readonly #arrivals = new Map<number, ReturnType<typeof deferred<void>>>();
  readonly #ends = new Map<number, ReturnType<typeof deferred<void>>>();

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
    for (const index of exchanges.keys()) {
      this.#arrivals.set(index, deferred());
      this.#ends.set(index, deferred());
    }
  }

  arrival(index: number): Promise<void> | undefined {
    return this.#arrivals.get(index)?.promise;
  }

  /** Resolves when the upstream has seen the end of a request, and of its own answer. */
  end(index: number): Promise<void> | undefined {
    return this.#ends.get(index)?.promise;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const index = Number(request.headers["x-exchange"]);
    const exchange = this.#exchanges[index];
    if (exchange === undefined) throw new Error("this is no request of an exchange");
    const isClosed = firstOf(response, "close");
    this.#arrivals.get(index)?.fulfil();
    if (exchange.cut === "upstream at once") request.socket.destroy();
    else await this.#receiveAndSend(exchange, index, request, response);
    await isClosed;
    this.#ends.get(index)?.fulfil();
  }

  async #receiveAndSend(
    { cut, request, answer, status, reason }: Exchange,
    index: number,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    this.received.set(index, await receive(incoming, `${incoming.method} ${incoming.url}`, request));
    if (!incoming.complete) return;
    response.sendDate = false;
    response.writeHead(status, reason, framed(answer));
    await send(response, answer, cut?.endsWith("answer") ?? false);
    if (cut === "upstream in answer") incoming.socket.destroy();
  }
}

/** Makes the client's side of an exchange, and gives what came back. */
export async function clientSide(
  exchange: Exchange,
  index: number,
  { port, agent, upstream }: { port: number; agent: Agent; upstream: UpstreamSide },
): Promise<Received> {
  const { method, target, request, asksForBody, answer, cut } = exchange;
  const headers = [...framed(request), "X-Exchange", String(index), ...(asksForBody ? ["Expect", "100-continue"] : [])];
  const client = httpRequest({ port, agent, method, path: target, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    client.on("response", resolve).on("error", reject),
  );
  answered.catch(() => {});
  if (asksForBody) await firstOf(client, "continue", "response", "close");
  const isSent = send(client, request, cut === "client in body");
  if (cut === "client in body") {
    await isSent;
    await upstream.arrival(index);
    client.destroy();
    return { start: "", headers: [], isRight: true, length: 0, isWhole: false, trailers: [] };
  }
  const back = await answered;
  const hangUp = cut === "client in answer" ? () => client.destroy() : undefined;
  const received = await receive(back, `${back.statusCode} ${back.statusMessage}`, answer, hangUp);
  if (cut === "upstream at once") client.destroy();
  return received;
}

function framed({ headers, framing, content, trailers }: Message): string[] {
  if (framing === "none") return headers;
  if (framing === "length") return [...headers, "Content-Length", String(content.size)];
  const announced = trailers.length > 0 ? ["Trailer", "X-Sum"] : [];
  return [...headers, "Transfer-Encoding", "chunked", ...announced];
}

async function send(stream: OutgoingMessage, { content, framing, trailers, isSlow }: Message, isHalf: boolean) {
  const end = isHalf ? Math.floor(content.size / 2) : content.size;
  for (let position = 0; position < end && !stream.destroyed; ) {
    const bytes = content.from(position, Math.min(end - position, 1 + (position % 65_536)));
    if (!stream.write(bytes)) await firstOf(stream, "drain", "close");
    if (isSlow && position % 7 === 0) await pause(1);
    position += bytes.length;
  }
  if (isHalf) {
    // What has been written has to go out.
    await new Promise((resolve) => stream.write(new Uint8Array(), resolve));
    return;
  }
  if (framing === "chunks") stream.addTrailers(trailers);
  stream.end();
}

/** Resolves when the first of these events takes place. */
function firstOf(emitter: EventEmitter, ...events: string[]): Promise<unknown> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const event of events) emitter.off(event, stop);
      resolve(undefined);
    };
    for (const event of events) emitter.on(event, stop);
  });
}

/** @param onData called when the first bytes have come */
function receive(
  message: IncomingMessage,
  start: string,
  { content }: Message,
  onData?: () => void,
): Promise<Received> {
  const comparison = new Comparison(content);
  return new Promise((resolve) => {
    message.on("data", (chunk: Buffer) => {
      comparison.take(chunk);
      onData?.();
    });
    message.on("error", () => {});
    message.on("close", () => {
      const { isRight, length } = comparison;
      const { rawHeaders, rawTrailers, complete } = message;
      resolve({
        start,
        headers: withoutFraming(rawHeaders),
        isRight,
        length,
        isWhole: complete,
        trailers: rawTrailers,
      });
    });
  });
}
