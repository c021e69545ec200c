import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { createNodeListener, type NodeListener } from "../../../../adapters/node.js";
import { anybody, listening, recorder, storeOf, until } from "../../../helpers/http/hosts.js";
import { failureText, membersBody, paths } from "../../../helpers/http/request.js";
import { exchange, openSocket, receive, startLine } from "../../../helpers/http/sockets.js";
import { rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const administrators = 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"errCode":0}';
const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\nX-Even: 1\r\n\r\n";
/** As text, each of its first bytes takes three. */
const growing = Buffer.concat([Buffer.alloc(hidden.length / 2, 0xff), Buffer.from(hidden)]);

/** A host that does something of its own before it calls the listener or after that. */
async function hostOf(
  upstream: string,
  host: (listener: NodeListener, request: IncomingMessage, response: ServerResponse) => void,
) {
  const { errors, observer } = recorder();
  const listener = createNodeListener({ store: await storeOf(), authenticate: anybody, upstream, observer });
  return { port: await listening((request, response) => host(listener, request, response)), errors };
}

function post(path: string, body: Buffer | string): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\noperationID: op-1\r\ntoken: t\r\n`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), Buffer.from(body)]);
}

const isGone = "the request's body was read before im-admin could read it: mount im-admin before what reads bodies";

it("passes on no body that the host has decoded, which may have another length by now", async () => {
  const upstream = await rawUpstream((_received, socket) => socket.write(ok));
  const { port, errors } = await hostOf(upstream.url, (listener, request, response) => {
    request.setEncoding("utf8");
    listener(request, response);
  });
  expect(startLine(await exchange(port, post("/x", growing)))).toStrictEqual({
    status: 500,
    body: failureText(500, "ServerInternalError"),
  });
  expect(upstream.received).toStrictEqual([]);
  expect(errors).toMatchObject([{ operation: "upstream", error: { message: isGone } }]);
  const get = "GET /y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  expect(startLine(await exchange(port, get))).toStrictEqual({ status: 200, body: "ok" });
});

it("sends no byte beyond the length that it has announced, even if the host decodes the body meanwhile", async () => {
  const upstream = await rawUpstream(() => {});
  let decode = () => {};
  const { port } = await hostOf(upstream.url, (listener, request, response) => {
    decode = () => void request.setEncoding("utf8");
    listener(request, response);
  });
  const socket = await openSocket(port);
  const answer = receive(socket);
  const sent = post("/x", growing);
  socket.write(sent.subarray(0, sent.length - growing.length));
  await until(() => upstream.received[0]?.endsWith("\r\n\r\n") ?? false);
  decode();
  socket.write(growing);
  expect(startLine(await answer).status).toBe(502);
  expect(upstream.received.join("")).not.toContain("/hidden");
});

it("passes on no body of which the host has taken a part while the upstream was asked about the token", async () => {
  let answerQuestion = () => {};
  const upstream = await rawUpstream((received, socket) => {
    if (received.includes("account_check")) answerQuestion = () => void socket.write(administrators);
    else socket.write(ok);
  });
  let bytes = 0;
  const { port, errors } = await hostOf(upstream.url, (listener, request, response) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    listener(request, response);
  });
  const socket = await openSocket(port);
  const answer = receive(socket);
  const sent = post(paths.members, membersBody);
  socket.write(sent.subarray(0, sent.length - membersBody.length));
  await until(() => upstream.received[0]?.endsWith("}") ?? false);
  socket.write(membersBody);
  await until(() => bytes === membersBody.length);
  answerQuestion();
  expect(startLine(await answer).status).toBe(500);
  expect(upstream.received.join("")).not.toContain(paths.members);
  expect(errors.at(-1)).toMatchObject({ operation: "upstream", error: { message: isGone } });
});

it("gives back headers that come several times, beside one that the host has set", async () => {
  const upstream = await rawUpstream((_received, socket) =>
    socket.write("HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nX-Host: 2\r\nContent-Length: 2\r\n\r\nok"),
  );
  const { port } = await hostOf(upstream.url, (listener, request, response) => {
    response.setHeader("X-Powered-By", "host");
    response.setHeader("X-Host", "1");
    listener(request, response);
  });
  const [head = ""] = (await exchange(port, post("/x", "abc"))).split("\r\n\r\n");
  expect(head.split("\r\n").sort()).toStrictEqual([
    "Connection: close",
    "Content-Length: 2",
    "HTTP/1.1 200 OK",
    "Set-Cookie: a",
    "Set-Cookie: b",
    "X-Host: 2",
    "X-Powered-By: host",
  ]);
});

it("answers 502 with nothing of an answer that is no HTTP, beside a header that the host has set", async () => {
  const upstream = await rawUpstream((_received, socket) =>
    socket.write("HTTP/1.1 200 a\x01b\r\nSet-Cookie: a\r\nTrailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  );
  const { port } = await hostOf(upstream.url, (listener, request, response) => {
    response.setHeader("X-Powered-By", "host");
    listener(request, response);
  });
  const answer = await exchange(port, post("/x", "abc"));
  expect(startLine(answer).status).toBe(502);
  expect(answer).toMatch(/^x-powered-by: host\r$/im);
  expect(answer).not.toMatch(/^(?:set-cookie|trailer):/im);
});

it("asks the upstream for a pipelined request when its turn has come, and ends where the client goes before", async () => {
  const upstream = await rawUpstream((_received, socket) => socket.write(ok));
  const store = await storeOf();
  let answerHealth = () => {};
  const listNotificationAccounts = () =>
    new Promise<{ total: number; items: [] }>((resolve) => {
      answerHealth = () => resolve({ total: 0, items: [] });
    });
  const server = await servedBeside(upstream.url, { store: Object.assign(store, { listNotificationAccounts }) });
  const pipelined = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const socket = await openSocket(server.port);
  let isAsked = false;
  store.listNotificationAccounts = () => {
    isAsked = true;
    return listNotificationAccounts();
  };
  socket.write(pipelined);
  await until(() => isAsked);
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(upstream.received).toStrictEqual([]);
  const answer = receive(socket);
  answerHealth();
  expect((await answer).endsWith("\r\n\r\nok")).toBe(true);
  expect(upstream.received).toHaveLength(1);

  const gone = await openSocket(server.port);
  isAsked = false;
  gone.write(pipelined);
  await until(() => isAsked);
  gone.destroy();
  await server.close();
  expect(upstream.received).toHaveLength(1);
});
