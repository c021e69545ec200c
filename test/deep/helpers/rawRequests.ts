import type { Random } from "../../helpers/chance.js";

const methods = ["GET", "POST", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH"];

const odd = {
  methods: ["get", "X-Y", "CONNECT", "PRI"],
  versions: ["HTTP/1.0", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "http/1.1"],
  lengths: ["+3", "3,3", "3, 3", "0x3", "03", "3 ", " 3", "-1", "", "3;", "18446744073709551619", "3\t", "\v3", "1e1"],
  codings: [
    "chunked",
    "Chunked",
    " chunked",
    "chunked ",
    "\tchunked",
    "xchunked",
    "chunked, chunked",
    "gzip, chunked",
    "identity",
    "",
    "chunked;a",
    '"chunked"',
  ],
  headers: [
    "Connection: close",
    "Connection: Content-Length",
    "Connection: Transfer-Encoding, X-A",
    "Connection: keep-alive",
    "Connection: Upgrade\r\nUpgrade: h2c",
    "Expect: 100-continue",
    "Expect: 200-maybe",
    "Host: y",
    "Host : y",
    " Content-Length: 3",
    "Content-Length : 3",
    "Content\x00-Length: 3",
    "Content_Length: 3",
    "X-A: 1\r\n Content-Length: 3",
    "X-A: 1\n",
    "X-A: 1\rTransfer-Encoding: chunked",
    "TE: trailers",
    "Trailer: Content-Length",
    "X-A: \x00",
    "X-A: \xff",
    ": x",
    "no colon",
  ],
  chunkSizes: ["3;a=b", "3 ", "03", "0x3", "+3", "3\t", "FFFFFFFFFFFFFFFF", "-3", "3;\n", "3\n", "g", "3;a=\r"],
};

/** Bytes that a client may send on one connection, in the pieces in which it sends them. */
export function randomBytesOf(random: Random, round: number): Buffer[] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const chance = (share: number) => random() < share;
  const count = (most: number) => Math.floor(random() * (most + 1));

  function body(): string {
    const smuggled = `GET /smuggled-${round} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n`;
    return pick(["", "abc", "\r\n", "0\r\n\r\n", smuggled, `${smuggled}${smuggled}`, "x".repeat(count(2_000))]);
  }

  function chunks(text: string): string {
    const size = chance(0.85) ? text.length.toString(16) : pick(odd.chunkSizes);
    const trailers = chance(0.2) ? `X-T: 1\r\n${pick(odd.headers)}\r\n` : "";
    const first = text === "" && chance(0.9) ? "" : `${size}\r\n${text}\r\n`;
    return `${first}${chance(0.95) ? `0\r\n${trailers}\r\n` : ""}`;
  }

  function request(target: string, manyHeaders: number): string {
    const text = body();
    const length = `Content-Length: ${chance(0.95) ? text.length : pick(odd.lengths)}`;
    const coding = `Transfer-Encoding: ${chance(0.9) ? "chunked" : pick(odd.codings)}`;
    const both = pick([
      [length, coding],
      [coding, length],
      [length, length],
      [coding, coding],
    ]);
    const framing = chance(0.9) ? pick([[], [length], [length], [coding]]) : both;
    const filler = Array.from({ length: manyHeaders }, () => "A: b");
    const headers = [...filler, ...Array.from({ length: chance(0.1) ? 1 + count(2) : 0 }, () => pick(odd.headers))];
    // What says where the body ends stands before, behind or among the others.
    for (const line of framing) headers.splice(chance(0.5) ? headers.length : count(headers.length), 0, line);
    const host = chance(0.99) ? ["Host: x"] : [];
    const end = chance(0.99) ? "\r\n" : pick(["\n", "\r"]);
    const isChunked = headers.some((line) => /transfer-encoding/i.test(line)) && chance(0.9);
    const method = chance(0.99) ? pick(methods) : pick(odd.methods);
    const version = chance(0.97) ? "HTTP/1.1" : pick(odd.versions);
    const start = `${method} ${chance(0.97) ? target : `http://y${target}`} ${version}`;
    return `${[start, ...host, ...headers].join(end)}${end}${end}${isChunked ? chunks(text) : text}`;
  }

  const requests = Array.from({ length: 1 + (chance(0.7) ? count(2) : count(39)) }, (_, index) =>
    // Node keeps 1,000 by default.
    request(`/${round}/${index}`, chance(0.03) ? pick([995, 996, 997, 998, 999, 1_000, 1_100, count(3_000)]) : 0),
  );
  const close = `GET /${round}/end HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const bytes = Buffer.from(requests.join("") + close, "latin1");
  if (chance(0.15)) bytes[count(bytes.length - 1)] = pick([0, 9, 10, 13, 32, 44, 48, 51, 58, count(255)]);
  return pieces(bytes, chance(0.5) ? 0 : count(6), count);
}

/** Cuts bytes at random places. */
function pieces(bytes: Buffer, cuts: number, count: (most: number) => number): Buffer[] {
  const places = [0, ...Array.from({ length: cuts }, () => count(bytes.length)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}
