import type { Random } from "../chance.js";
import { randomOf } from "../chance.js";
import { paths, tokens } from "./request.js";

const blockLength = 1_048_576;
const pieceLength = 65_536;
const block = randomBlock();

/** A body of any length whose every byte is known. */
export class Content {
  readonly size: number;
  readonly #start: number;

  constructor(size: number, start: number) {
    this.size = size;
    this.#start = start;
  }

  /** The bytes from a position on, some thousands of them at most. */
  from(position: number, length: number): Buffer {
    const begin = (this.#start + position) % blockLength;
    return block.subarray(begin, begin + Math.min(length, pieceLength, this.size - position));
  }
}

/** Compares what comes of a content with it, byte by byte. */
export class Comparison {
  length = 0;
  isRight = true;
  readonly #content: Content;

  constructor(content: Content) {
    this.#content = content;
  }

  take(chunk: Uint8Array): void {
    for (let begin = 0; begin < chunk.length; ) {
      const expected = this.#content.from(this.length, chunk.length - begin);
      this.isRight &&= expected.length > 0 && expected.equals(chunk.subarray(begin, begin + expected.length));
      if (!this.isRight) return;
      begin += expected.length;
      this.length += expected.length;
    }
  }
}

/** How one side sends its message: all of it, or half of it before it hangs up or before the other one does. */
export interface Message {
  headers: string[];
  content: Content;
  framing: "length" | "chunks" | "none";
  trailers: [string, string][];
  isSlow: boolean;
}

/** A request and its answer. */
export interface Exchange {
  method: string;
  target: string;
  request: Message;
  asksForBody: boolean;
  status: number;
  reason: string;
  answer: Message;
  /** Who hangs up, and when. */
  cut: "client in body" | "client in answer" | "upstream in answer" | "upstream at once" | undefined;
}

const methods = ["GET", "POST", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND"];
const targets = [
  ...Object.values(paths),
  "/auth/get_admin_token",
  "/msg/send_msg",
  "//object//upload",
  "/healthz/x",
  "/user/%E5%BC%A0?x=%zz&y[]=1&&",
];
const names = ["Accept", "cookie", "X-Request-ID", "authorization", "Content-Type", "oPERATIONid", "if-none-match"];
const cuts = ["client in body", "client in answer", "upstream in answer", "upstream at once"] as const;
const statuses = [200, 200, 200, 201, 204, 206, 304, 307, 400, 404, 429, 500, 503, 599];

/** @param size the bytes of its body, where that is not left to chance */
export function randomExchange(random: Random, size: { request?: number; answer?: number } = {}): Exchange {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (share: number) => random() < share;
  const count = (most: number) => Math.floor(random() * (most + 1));

  function value(): string {
    return Array.from({ length: count(30) }, () => {
      const code = chance(0.05) ? 0xa0 + count(0x5f) : 0x20 + count(0x5e);
      return String.fromCharCode(code);
    })
      .join("")
      .trim();
  }

  function headers(): string[] {
    return Array.from({ length: count(6) }, () => [chance(0.5) ? pick(names) : `x-${count(9)}`, value()]).flat();
  }

  function message(size: number | undefined, hasBody: boolean): Message {
    const length = size ?? (chance(0.01) ? 52_428_800 : Math.floor(2 ** (1 + random() * 20)));
    const framing = hasBody ? (size !== undefined || chance(0.5) ? "length" : "chunks") : "none";
    return {
      headers: headers(),
      content: new Content(framing === "none" ? 0 : length, count(blockLength)),
      framing,
      trailers: framing === "chunks" && chance(0.3) ? [["X-Sum", value()]] : [],
      isSlow: chance(0.1),
    };
  }

  const hasSize = size.request !== undefined || size.answer !== undefined;
  const cut = !hasSize && chance(0.2) ? pick(cuts) : undefined;
  const method = cut !== undefined || hasSize ? "POST" : pick(methods);
  const status = cut !== undefined || hasSize ? 200 : pick(statuses);
  const request = message(size.request, cut === "client in body" || method === "POST" || chance(0.3));
  // An administrator's would be answered here.
  const token = pick([[], ["token", tokens.ofAnybody], ["Token", tokens.expired], ["token", "?"]]);
  request.headers = ["Host", "chat.example:10002", ...request.headers, ...token];
  if (chance(0.3)) request.headers.push("X-Forwarded-For", "203.0.113.7");
  const canHaveBody = method !== "HEAD" && status !== 204 && status !== 304;
  return {
    method,
    target: pick(targets),
    request,
    // Node's own client would garble other headers then.
    asksForBody: cut === undefined && request.framing !== "none" && isAscii(request.headers) && chance(0.3),
    status,
    reason: pick(["OK", "", "Odd \u00e9 reason"]),
    answer: message(size.answer, canHaveBody && (cut !== undefined || hasSize || chance(0.9))),
    cut,
  };
}

function isAscii(texts: readonly string[]): boolean {
  return !/[\x80-\xff]/.test(texts.join(""));
}

function randomBlock(): Buffer {
  const random = randomOf(1);
  const bytes = Buffer.alloc(blockLength + pieceLength);
  for (let index = 0; index < blockLength; index += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), index);
  bytes.copy(bytes, blockLength, 0, pieceLength);
  return bytes;
}
