import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { type Random, randomOf, rounds, seed } from "../../../helpers/chance.js";
import { paths } from "../../../helpers/http/request.js";
import { sendOverHttp } from "../../../helpers/http/send.js";
import { close, exchange, requestBytes, startLine } from "../../../helpers/http/sockets.js";
import { rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const names = "X-A|Content-Length|Transfer-Encoding|Connection|Trailer|Upgrade|Date|Keep-Alive|x\x00|".split("|");
const values = "1|0|5|-1|99999999999999999999|chunked|gzip, chunked|close|upgrade|X-A|\x01|\x7f|\xe9||a\rb".split("|");
const codes = "200|204|304|100|101|102|103|199|099|000|600|999|1000|20|abc||-1|500".split("|");
const versions = "HTTP/1.1|HTTP/1.1|HTTP/1.1|HTTP/1.0|HTTP/0.9|HTTP/2.0|HTTP/1.|ICY|http/1.1|".split("|");
const reasons = ["OK", "", "a\x01b", "\x00", "\xff", "a\tb", "a\rb", "x".repeat(300)];
const bodies = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "5\r\nhello\r\n0\r\nX-A: 1\r\nx\x01: 2\r\n\r\n",
  "5;a=b\r\nhel",
  "zz\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
];

/** What an upstream that is broken or hostile may send for one request. */
function randomAnswer(random: Random): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const count = (most: number) => Math.floor(random() * (most + 1));
  const many = (most: number, make: () => string) => Array.from({ length: count(most) }, make).join("");
  const end = () => (random() < 0.95 ? "\r\n" : pick(["\n", "\r", "", "\r\n\r\n"]));
  const header = () => `${pick(names)}:${pick([" ", "", "  "])}${pick(values)}${end()}`;
  const headers = () => (random() < 0.02 ? header().repeat(2_000) : many(4, header));
  const head = (code: string) => `${pick(versions)} ${code} ${pick(reasons)}${end()}${headers()}${end()}`;
  const interim = many(random() < 0.3 ? 3 : 0, () => head(pick(["100", "101", "102", "103"])));
  const text = `${interim}${head(random() < 0.5 ? "200" : pick(codes))}${pick(bodies)}`;
  // A byte that is wrong, or is missing.
  if (random() < 0.7) return text;
  const at = count(text.length);
  return text.slice(0, at) + (random() < 0.5 ? String.fromCharCode(count(255)) : "") + text.slice(at + 1);
}

/** Sends a text in pieces, and hangs up. */
function sendPieces(socket: Socket, text: string, pieces: number): void {
  const length = Math.ceil(text.length / pieces) || 1;
  for (let at = 0; at < text.length; at += length) socket.write(Buffer.from(text.slice(at, at + length), "latin1"));
  socket.end();
}

it("answers each client and lives on, whatever an upstream sends", async () => {
  const random = randomOf(seed);
  let answer = "";
  const upstream = await rawUpstream((_received, socket) => sendPieces(socket, answer, 1 + Math.floor(random() * 4)));
  const { port } = await servedBeside({ url: upstream.url });
  for (let round = 0; round < rounds(10_000); round += 1) {
    answer = randomAnswer(random);
    const sent = requestBytes(`POST ${paths.conversations}`, ["operationID: op-1", close], "abc");
    const { status } = startLine(await exchange(port, round % 3 === 0 ? sent.replace("HTTP/1.1", "HTTP/1.0") : sent));
    // It is the upstream's own status or 502, or the client is cut off within the answer.
    const isRight = status === 502 || (status !== 101 && answer.includes(String(status).padStart(3, "0")));
    expect(isRight, `${status} for ${JSON.stringify(answer)}`).toBe(true);
  }
  expect((await sendOverHttp(port, { method: "GET", path: "/healthz", headers: {} })).text).toBe('{"status":"ok"}');
});
