import { createServer } from "node:http";
import { expect, it } from "vitest";
import { createNodeListener } from "../../../../adapters/node.js";
import { anybody, portOf, storeOf } from "../../../helpers/http/hosts.js";
import { argsError } from "../../../helpers/http/request.js";
import { exchange, startLine } from "../../../helpers/http/sockets.js";
import { rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const hidden = "POST /hidden HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.0.1\r\nContent-Length: 0\r\n\r\n";
const close = "Connection: close\r\n";

/** A request of so many headers, whose last one says how long its body is. The body reads like a request. */
function request(method: string, headers: number, last = `Content-Length: ${hidden.length}`, body = hidden): string {
  return `${method} /x HTTP/1.1\r\nHost: x\r\n${close}${"A: b\r\n".repeat(headers - 3)}${last}\r\n\r\n${body}`;
}

const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

/** An upstream that answers each head of a request that reaches it, and what reached it. */
function countingUpstream() {
  return rawUpstream((received, socket) => received.endsWith("\r\n\r\n") && socket.write(ok));
}

/** What an upstream receives from a host's server with these properties, and the client's answer. */
async function passedByHost(sent: string, options: { maxHeadersCount?: number; insecureHTTPParser?: boolean }) {
  const { maxHeadersCount, ...others } = options;
  const upstream = await countingUpstream();
  const listener = createNodeListener({ store: await storeOf(), authenticate: anybody, upstream: upstream.url });
  const server = createServer({ maxHeaderSize: 65_536, ...others }, listener);
  if (maxHeadersCount !== undefined) server.maxHeadersCount = maxHeadersCount;
  const port = await portOf(server.listen(0, "127.0.0.1"));
  return { ...startLine(await exchange(port, sent)), received: upstream.received.join("") };
}

it.each([
  ["POST", 1_100, "a length", hidden, undefined],
  ["GET", 1_100, "a length", hidden, undefined],
  ["POST", 999, "a length", hidden, undefined],
  ["POST", 1_000, "a length", hidden, undefined],
  ["POST", 1_001, "a length", hidden, undefined],
  ["POST", 1_100, "chunks", chunked, "Transfer-Encoding: chunked"],
  ["GET", 1_100, "chunks", chunked, "Transfer-Encoding: chunked"],
])(
  "passes on a %s of %i headers, the last of which announces %s, as one request",
  async (method, count, _title, body, last) => {
    const upstream = await countingUpstream();
    const { port } = await servedBeside(upstream.url);
    expect((await exchange(port, request(method, count, last, body))).endsWith("\r\n\r\nok")).toBe(true);
    expect(upstream.received).toHaveLength(1);
    const [received = ""] = upstream.received;
    const [head = ""] = received.split("\r\n\r\n", 1);
    expect(head.match(/^(content-length|transfer-encoding):.*$/gim)).toStrictEqual([
      last ?? `Content-Length: ${hidden.length}`,
    ]);
    expect(head.match(/^A: b$/gm)).toHaveLength(count - 3);
    expect(received.slice(head.length + 4)).toBe(body);
  },
);

it.each([
  [1_100, {}, 1_000],
  [1_000, {}, 1_000],
  [51, { maxHeadersCount: 50 }, 50],
  [50, { maxHeadersCount: 50 }, 50],
])("refuses a request of %i headers where the host's server is made with %j", async (count, options, most) => {
  const { status, body, received } = await passedByHost(request("POST", count), options);
  expect(status).toBe(431);
  expect(body).toBe(argsError(`the request must have fewer than ${most} headers`));
  expect(received).toBe("");
});

it.each([
  [999, {}],
  [2_000, { maxHeadersCount: 0 }],
  [49, { maxHeadersCount: 50 }],
])("passes on a request of %i headers where the host's server is made with %j", async (count, options) => {
  const { status, received } = await passedByHost(request("POST", count), options);
  expect(status).toBe(200);
  expect(received.match(/^Content-Length: \d+\r$/gm)).toHaveLength(2);
  expect(received.endsWith(`\r\n\r\n${hidden}`)).toBe(true);
});

it("sends no body of which it has not seen the length", async () => {
  const upstream = await countingUpstream();
  const listener = createNodeListener({ store: await storeOf(), authenticate: anybody, upstream: upstream.url });
  const server = createServer((incoming, response) => {
    // The parser of this connection goes on dropping what is more than ten.
    server.maxHeadersCount = 0;
    listener(incoming, response);
  });
  server.maxHeadersCount = 10;
  const port = await portOf(server.listen(0, "127.0.0.1"));
  expect(startLine(await exchange(port, request("POST", 100)))).toStrictEqual({
    status: 431,
    body: argsError("no header that was kept says how long the body is"),
  });
  expect(upstream.received.join("")).not.toContain("/hidden");
});

it.each([
  [`GET /x HTTP/1.1\r\nHost: x\r\nHost: y\r\n${close}\r\n`, "the request must have one header Host"],
  [`OPTIONS /x HTTP/1.1\r\nhost: x\r\nHOST: x\r\n${close}\r\n`, "the request must have one header Host"],
  [
    `POST /x HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${close}\r\n0\r\n\r\n`,
    "the request must say once, by a length or as chunks, how long its body is",
  ],
])("refuses %j", async (sent, what) => {
  const upstream = await countingUpstream();
  const { port } = await servedBeside(upstream.url);
  expect(startLine(await exchange(port, sent))).toStrictEqual({ status: 400, body: argsError(what) });
  expect(upstream.received).toStrictEqual([]);
});

it.each([
  `Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked`,
  `Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length}`,
  "Transfer-Encoding: gzip, chunked",
])("refuses %j, which the lenient parser of a host lets through", async (last) => {
  const { status, body, received } = await passedByHost(request("POST", 5, last, chunked), {
    insecureHTTPParser: true,
  });
  expect(status).toBe(400);
  expect(body).toBe(argsError("the request must say once, by a length or as chunks, how long its body is"));
  expect(received).toBe("");
});

it("closes the connection of a request that it refuses, with all that follows on it", async () => {
  const upstream = await countingUpstream();
  const { port } = await servedBeside(upstream.url);
  const answers = await exchange(port, `GET /x HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${hidden}`);
  expect(answers.match(/^HTTP\/1\.1 .*$/gm)).toStrictEqual(["HTTP/1.1 400 Bad Request"]);
  expect(upstream.received).toStrictEqual([]);
});
