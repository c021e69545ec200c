import { expect, it } from "vitest";
import { argsError } from "../../../helpers/http/request.js";
import { close, exchange, requestBytes, startLine } from "../../../helpers/http/sockets.js";
import { besideBytes, hostBeside, ok, rawUpstream } from "../../../helpers/http/upstreams.js";

const hidden = requestBytes("POST /hidden", ["X-Forwarded-For: 10.0.0.1"], "");
const chunked = "Transfer-Encoding: chunked";
const inChunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const twice = "the request must say once, by a length or as chunks, how long its body is";

/** A request of so many headers, whose last one says how long its body is. The body reads like a request. */
function request(count: number, { method = "POST", last = `Content-Length: ${hidden.length}`, body = hidden } = {}) {
  return requestBytes(`${method} /x`, [close, ...Array(count - 3).fill("A: b"), last]) + body;
}

/** Answers each head of a request that reaches it. */
const answerHeads: Parameters<typeof rawUpstream>[0] = (received, socket) =>
  received.endsWith("\r\n\r\n") && socket.write(ok);

/** What an upstream receives from a host's server with these properties, and the client's answer. */
async function passedByHost(sent: string, options: Parameters<typeof hostBeside>[2]) {
  const upstream = await rawUpstream(answerHeads);
  const { port } = await hostBeside(upstream.url, (listener, ...sides) => listener(...sides), {
    maxHeaderSize: 65_536,
    ...options,
  });
  return { ...startLine(await exchange(port, sent)), received: upstream.all() };
}

it.each<[number, Parameters<typeof request>[1] & object]>([
  [1_100, { method: "POST" }],
  [1_100, { method: "GET" }],
  [999, {}],
  [1_000, {}],
  [1_001, {}],
  [1_100, { method: "POST", last: chunked, body: inChunks }],
  [1_100, { method: "GET", last: chunked, body: inChunks }],
])("passes on a request of %i headers as one, whose last header says how long it is: %j", async (count, given) => {
  const { exchange, received } = await besideBytes(answerHeads);
  expect((await exchange(request(count, given))).endsWith("\r\n\r\nok")).toBe(true);
  expect(received).toHaveLength(1);
  const [, head = "", body] = /^(.*?)\r\n\r\n(.*)$/s.exec(received[0] ?? "") ?? [];
  const { last = `Content-Length: ${hidden.length}`, body: sent = hidden } = given;
  expect(head.match(/^(content-length|transfer-encoding):.*$/gim)).toStrictEqual([last]);
  expect(head.match(/^A: b$/gm)).toHaveLength(count - 3);
  expect(body).toBe(sent);
});

it.each([
  [1_100, {}, 1_000],
  [1_000, {}, 1_000],
  [51, { maxHeadersCount: 50 }, 50],
  [50, { maxHeadersCount: 50 }, 50],
])("refuses a request of %i headers where the host's server is made with %j", async (count, options, most) => {
  const body = argsError(`the request must have fewer than ${most} headers`);
  expect(await passedByHost(request(count), options)).toStrictEqual({ status: 431, body, received: "" });
});

it.each([
  [999, {}],
  [2_000, { maxHeadersCount: 0 }],
  [49, { maxHeadersCount: 50 }],
])("passes on a request of %i headers where the host's server is made with %j", async (count, options) => {
  const { status, received } = await passedByHost(request(count), options);
  expect(status).toBe(200);
  expect(received.match(/^Content-Length: \d+\r$/gm)).toHaveLength(2);
  expect(received.endsWith(`\r\n\r\n${hidden}`)).toBe(true);
});

it("sends no body of which it has not seen the length", async () => {
  const upstream = await rawUpstream(answerHeads);
  const { port } = await hostBeside(
    upstream.url,
    (listener, incoming, response) => {
      // The parser of this connection goes on dropping what is more than ten.
      Object.assign((incoming.socket as unknown as { server: object }).server, { maxHeadersCount: 0 });
      listener(incoming, response);
    },
    { maxHeadersCount: 10 },
  );
  const body = argsError("no header that was kept says how long the body is");
  expect(startLine(await exchange(port, request(100)))).toStrictEqual({ status: 431, body });
  expect(upstream.all()).not.toContain("/hidden");
});

it.each([
  [requestBytes("GET /x", ["Host: y", close]), "the request must have one header Host"],
  [requestBytes("OPTIONS /x", ["HOST: x", close]), "the request must have one header Host"],
  [requestBytes("POST /x", [chunked, close]).replace("1.1", "1.0"), twice],
])("refuses %j", async (sent, what) => {
  const { exchange, received } = await besideBytes(answerHeads);
  expect(startLine(await exchange(sent))).toStrictEqual({ status: 400, body: argsError(what) });
  expect(received).toStrictEqual([]);
});

it.each([
  `Content-Length: ${hidden.length}\r\n${chunked}`,
  `${chunked}\r\nContent-Length: ${hidden.length}`,
  "Transfer-Encoding: gzip, chunked",
])("refuses %j, which the lenient parser of a host lets through", async (last) => {
  const sent = request(5, { last, body: inChunks });
  const refused = { status: 400, body: argsError(twice), received: "" };
  expect(await passedByHost(sent, { insecureHTTPParser: true })).toStrictEqual(refused);
});

it("closes the connection of a request that it refuses, with all that follows on it", async () => {
  const { exchange, received } = await besideBytes(answerHeads);
  const answers = await exchange(requestBytes("GET /x", ["Host: y"]) + hidden);
  expect(answers.match(/^HTTP\/1\.1 .*$/gm)).toStrictEqual(["HTTP/1.1 400 Bad Request"]);
  expect(received).toStrictEqual([]);
});
