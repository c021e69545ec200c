import { Agent, request as httpRequest, type IncomingMessage, type OutgoingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, it, onTestFinished } from "vitest";
import { type Random, randomOf, rounds, seed } from "../../../../helpers/chance.js";
import { deferred } from "../../../../helpers/deferred.js";
import { argsError, membersText, paths, requestOf, tokens } from "../../../../helpers/http/request.js";
import { sendToPort } from "../../../../helpers/http/send.js";
import { httpUpstream, servedBeside } from "../../../../helpers/http/upstreams.js";

const atOnce = 16;
const large = 52_428_800;

/** How one side sends its message. */
interface Message {
  headers: string[];
  body: Buffer;
  framing: "length" | "chunks" | "none";
  trailers: string[];
}

/** A request and its answer. */
type Exchange = ReturnType<typeof randomExchange>;

const methods = ["GET", "POST", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND"];
const otherTargets = ["/auth/get_admin_token", "/msg/send_msg", "//object//upload", "/user/%E5%BC%A0?x=%zz&y[]=1&&"];
const names = ["Accept", "cookie", "X-Request-ID", "authorization", "Content-Type", "oPERATIONid", "if-none-match"];
const cuts = ["client in body", "client in answer", "upstream in answer", "upstream at once"] as const;
const statuses = [200, 200, 200, 201, 204, 206, 304, 307, 400, 404, 429, 500, 503, 599];
const block = Buffer.from(Uint32Array.from({ length: 262_144 }, (_, index) => index * 2_654_435_761).buffer);

/** @param size the bytes of its bodies, where that is not left to chance */
function randomExchange(random: Random, size?: { request: number; answer: number }) {
  const count = (most: number) => Math.floor(random() * (most + 1));
  const pick = <Item>(items: readonly Item[]) => items[count(items.length - 1)] as Item;
  const chance = (share: number) => random() < share;
  const character = () => String.fromCharCode(chance(0.05) ? 0xa0 + count(0x5f) : 0x20 + count(0x5e));
  const value = () =>
    Array.from({ length: count(30) }, character)
      .join("")
      .trim();
  const header = () => [chance(0.5) ? pick(names) : `x-${count(9)}`, value()];

  function message(hasBody: boolean, length = chance(0.01) ? large : Math.floor(2 ** (1 + random() * 20))): Message {
    const framing = hasBody ? pick(["length", "chunks"] as const) : "none";
    return {
      headers: Array.from({ length: count(6) }, header).flat(),
      body: framing === "none" ? Buffer.alloc(0) : Buffer.alloc(length, block.subarray(count(1_000))),
      framing,
      trailers: framing === "chunks" && chance(0.3) ? ["X-Sum", value()] : [],
    };
  }

  const cut = size === undefined && chance(0.2) ? pick(cuts) : undefined;
  const isUsual = size !== undefined || cut !== undefined;
  const method = isUsual ? "POST" : pick(methods);
  const status = isUsual ? 200 : pick(statuses);
  const request = message(method === "POST" || chance(0.3), size?.request);
  // An administrator's would be answered here.
  const token = pick([[], ["token", tokens.ofAnybody], ["Token", tokens.expired], ["token", "?"]]);
  request.headers = ["Host", "chat.example:10002", ...request.headers, ...token];
  if (chance(0.3)) request.headers.push("X-Forwarded-For", "203.0.113.7");
  // Node's own client would garble headers beyond ASCII beside the question.
  const canAsk = cut === undefined && request.framing !== "none" && !/[\x80-\xff]/.test(request.headers.join(""));
  if (canAsk && chance(0.3)) request.headers.push("Expect", "100-continue");
  const hasAnswer = method !== "HEAD" && status !== 204 && status !== 304 && (isUsual || chance(0.9));
  const target = pick([...Object.values(paths), ...otherTargets, "/healthz/x"]);
  const reason = pick(["OK", "", "Odd \u00e9 reason"]);
  return { method, target, request, status, reason, answer: message(hasAnswer, size?.answer), cut };
}

function framed({ headers, framing, body, trailers }: Message): string[] {
  if (framing === "none") return headers;
  if (framing === "length") return [...headers, "Content-Length", String(body.length)];
  return [...headers, "Transfer-Encoding", "chunked", ...(trailers.length > 0 ? ["Trailer", "X-Sum"] : [])];
}

function* pieces(body: Buffer) {
  for (let at = 0; at < body.length; at += 1 + (at % 65_536)) yield body.subarray(at, at + 1 + (at % 65_536));
}

/** Sends a message, or the first half of it. */
async function send(stream: OutgoingMessage, { body, framing, trailers }: Message, isHalf: boolean): Promise<void> {
  const sent = isHalf ? body.subarray(0, body.length >> 1) : body;
  await pipeline(Readable.from(pieces(sent)), stream, { end: false }).catch(() => {});
  // What has been written has to go out.
  if (isHalf) {
    await new Promise((resolve) => stream.write(new Uint8Array(), resolve));
    return;
  }
  if (framing === "chunks" && trailers.length > 0) stream.addTrailers([trailers as [string, string]]);
  stream.end();
}

/** What has come of a message that was sent, when it is over. */
async function receive(message: IncomingMessage, start: string, sent: Message, onData = () => {}) {
  const chunks: Buffer[] = [];
  message
    .on("error", () => {})
    .on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      onData();
    });
  await new Promise((resolve) => message.once("close", resolve));
  const body = Buffer.concat(chunks);
  const isRight = body.equals(sent.body.subarray(0, body.length));
  const headers = withoutFraming(message.rawHeaders);
  return { start, headers, isRight, length: body.length, isWhole: message.complete, trailers: message.rawTrailers };
}
type Received = Awaited<ReturnType<typeof receive>>;

const ofConnection = /^(?:connection|keep-alive|transfer-encoding|trailer|content-length)$/i;

/** Headers without those of the connection, and without those that say where the message ends. */
function withoutFraming(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !ofConnection.test(String(raw[index - (index % 2)])));
}

/** A message as it arrives if it is passed on as it was sent. */
function whole(start: string, { headers, body, trailers }: Message): Received {
  return { start, headers: withoutFraming(headers), isRight: true, length: body.length, isWhole: true, trailers };
}

it("passes random requests on and gives their answers back byte by byte, and answers every list itself", async () => {
  const random = randomOf(seed);
  const exchanges = [
    randomExchange(random, { request: large, answer: 1 }),
    randomExchange(random, { request: 1, answer: large }),
    ...Array.from({ length: rounds(1_000) }, () => randomExchange(random)),
  ];
  const sides = exchanges.map(() => ({
    arrival: deferred(),
    end: deferred(),
    received: undefined as Received | undefined,
  }));

  const url = await httpUpstream(async (incoming, response) => {
    const index = Number(incoming.headers["x-exchange"]);
    const [exchange, side] = [exchanges[index], sides[index]];
    if (exchange === undefined || side === undefined) throw new Error("this is no request of an exchange");
    const isClosed = new Promise((resolve) => response.once("close", resolve));
    const { request, status, reason, answer, cut } = exchange;
    side.arrival.fulfil();
    if (cut === "upstream at once") incoming.socket.destroy();
    else side.received = await receive(incoming, `${incoming.method} ${incoming.url}`, request);
    if (side.received?.isWhole) {
      response.sendDate = false;
      response.writeHead(status, reason, framed(answer));
      await send(response, answer, cut?.endsWith("answer") ?? false);
      if (cut === "upstream in answer") incoming.socket.destroy();
    }
    await isClosed;
    side.end.fulfil();
  });
  const { port } = await servedBeside(url);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());

  /** What comes back to the client; undefined where it has gone before. */
  async function clientSide(index: number, { method, target, request, answer, cut }: Exchange) {
    const headers = [...framed(request), "X-Exchange", String(index)];
    const client = httpRequest({ port, agent, method, path: target, headers });
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      client.on("response", resolve).on("error", reject),
    );
    answered.catch(() => {});
    if (headers.includes("Expect")) {
      await new Promise((resolve) => client.on("continue", resolve).on("response", resolve).on("close", resolve));
    }
    const isSent = send(client, request, cut === "client in body");
    if (cut === "client in body") {
      await Promise.all([isSent, sides[index]?.arrival.promise]);
      client.destroy();
      return undefined;
    }
    const back = await answered;
    const hangUp = cut === "client in answer" ? () => client.destroy() : undefined;
    const received = await receive(back, `${back.statusCode} ${back.statusMessage}`, answer, hangUp);
    if (cut === "upstream at once") client.destroy();
    return received;
  }

  async function exchange(index: number, planned: Exchange): Promise<void> {
    const { method, target, request, status, reason, answer, cut } = planned;
    const back = await clientSide(index, planned);
    await sides[index]?.end.promise;
    const partly = { isRight: true, isWhole: false };

    const given = whole(`${status} ${reason}`, answer);
    if (cut === undefined) expect(back).toStrictEqual(given);
    else if (cut === "upstream at once") expect(back?.start).toBe("502 Bad Gateway");
    else if (back !== undefined) expect(back).toMatchObject({ start: given.start, headers: given.headers, ...partly });

    const sent = [...request.headers, "X-Exchange", String(index)];
    const before = sent.includes("X-Forwarded-For") ? "203.0.113.7, " : "";
    const others = sent.filter((_, at) => sent[at - (at % 2)] !== "X-Forwarded-For");
    const headers = [...others, "X-Forwarded-For", `${before}127.0.0.1`];
    const passed = whole(`${method} ${target}`, { ...request, headers });
    const { received } = sides[index] ?? {};
    if (cut === "upstream at once") expect(received).toBeUndefined();
    else if (cut !== "client in body") expect(received).toStrictEqual(passed);
    else expect(received).toMatchObject({ start: passed.start, headers: passed.headers, ...partly });
  }

  const upgrade = { method: "GET", path: "/", headers: { connection: "Upgrade", upgrade: "websocket" } };
  const refused = argsError("a WebSocket is not passed on: connect to the message gateway at its own port");
  const queue = exchanges.entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, planned] of queue) {
        await exchange(index, planned).catch((cause) => {
          throw new Error(`exchange ${index}, ${planned.method} ${planned.target}, cut: ${planned.cut}`, { cause });
        });
        const isList = index % 2 === 0;
        const { status, text } = await sendToPort(port)(isList ? requestOf({ request: {} }) : upgrade);
        expect([status, text]).toStrictEqual(isList ? [200, membersText] : [501, refused]);
      }
    }),
  );
});
