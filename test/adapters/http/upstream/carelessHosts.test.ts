import { expect, it } from "vitest";
import { storeOf, until } from "../../../helpers/http/hosts.js";
import { failureText, membersBody, paths } from "../../../helpers/http/request.js";
import { close, exchange, openSocket, receive, requestBytes, startLine } from "../../../helpers/http/sockets.js";
import { administrators, besideBytes, hostBeside, ok, rawUpstream } from "../../../helpers/http/upstreams.js";

const hidden = requestBytes("GET /hidden", ["X-Even: 1"]);
/** As text, each of its first bytes takes three. */
const growing = Buffer.concat([Buffer.alloc(hidden.length / 2, 0xff), Buffer.from(hidden)]);

/** The head of a request whose body has so many bytes. */
const head = (path: string, length: number) =>
  requestBytes(`POST ${path}`, [close, "operationID: op-1", "token: t", `Content-Length: ${length}`]);

const isGone = {
  operation: "upstream",
  error: {
    message: "the request's body was read before im-admin could read it: mount im-admin before what reads bodies",
  },
};

it("passes on no body that the host has decoded, which may have another length by now", async () => {
  const upstream = await rawUpstream(ok);
  const { port, errors } = await hostBeside(upstream.url, (listener, request, response) =>
    listener(request.setEncoding("utf8"), response),
  );
  const sent = Buffer.concat([Buffer.from(head("/x", growing.length)), growing]);
  const body = failureText(500, "ServerInternalError");
  expect(startLine(await exchange(port, sent))).toStrictEqual({ status: 500, body });
  expect(upstream.received).toStrictEqual([]);
  expect(errors).toMatchObject([isGone]);
  expect(startLine(await exchange(port, requestBytes("GET /y", [close])))).toStrictEqual({ status: 200, body: "ok" });
});

it("sends no byte beyond the length that it has announced, even if the host decodes the body meanwhile", async () => {
  const upstream = await rawUpstream();
  let decode = () => {};
  const { port } = await hostBeside(upstream.url, (listener, request, response) => {
    decode = () => void request.setEncoding("utf8");
    listener(request, response);
  });
  const socket = await openSocket(port);
  const answer = receive(socket);
  socket.write(head("/x", growing.length));
  await until(() => upstream.all().endsWith("\r\n\r\n"));
  decode();
  socket.write(growing);
  expect(startLine(await answer).status).toBe(502);
  expect(upstream.all()).not.toContain("/hidden");
});

it("passes on no body of which the host has taken a part while the upstream was asked about the token", async () => {
  let answerQuestion = () => {};
  const upstream = await rawUpstream(ok, (socket) => {
    answerQuestion = () => void socket.write(administrators);
  });
  let bytes = 0;
  const { port, errors } = await hostBeside(upstream.url, (listener, request, response) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    listener(request, response);
  });
  const socket = await openSocket(port);
  const answer = receive(socket);
  socket.write(head(paths.members, membersBody.length));
  await until(() => upstream.all().endsWith("}"));
  socket.write(membersBody);
  await until(() => bytes === membersBody.length);
  answerQuestion();
  expect(startLine(await answer).status).toBe(500);
  expect(upstream.all()).not.toContain(paths.members);
  expect(errors.at(-1)).toMatchObject(isGone);
});

it("gives back headers that come several times, beside one that the host has set", async () => {
  const answer = "HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nX-Host: 2\r\nContent-Length: 2\r\n\r\nok";
  const upstream = await rawUpstream(answer);
  const { port } = await hostBeside(upstream.url, (listener, request, response) =>
    listener(request, response.setHeader("X-Powered-By", "host").setHeader("X-Host", "1")),
  );
  const [given = ""] = (await exchange(port, `${head("/x", 3)}abc`)).split("\r\n\r\n");
  const expected = ["Connection: close", "X-Powered-By: host", ...answer.split("\r\n").slice(0, 5)];
  expect(given.split("\r\n").sort()).toStrictEqual(expected.sort());
});

it("answers 502 with nothing of an answer that is no HTTP, beside a header that the host has set", async () => {
  const chunked = "Trailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const upstream = await rawUpstream(`HTTP/1.1 200 a\x01b\r\nSet-Cookie: a\r\n${chunked}`);
  const { port } = await hostBeside(upstream.url, (listener, request, response) =>
    listener(request, response.setHeader("X-Powered-By", "host")),
  );
  const answer = await exchange(port, `${head("/x", 3)}abc`);
  expect(startLine(answer).status).toBe(502);
  expect(answer).toMatch(/^x-powered-by: host\r$/im);
  expect(answer).not.toMatch(/^(?:set-cookie|trailer):/im);
});

it("asks the upstream for a pipelined request when its turn has come, and ends where the client goes before", async () => {
  const asked: ((page: { total: number; items: [] }) => void)[] = [];
  const listNotificationAccounts = () => new Promise<{ total: number; items: [] }>((resolve) => asked.push(resolve));
  const store = Object.assign(await storeOf(), { listNotificationAccounts });
  const server = await besideBytes(ok, { store });
  const pipelined = requestBytes("GET /healthz") + requestBytes("GET /a", [close]);
  const socket = await openSocket(server.port);
  socket.write(pipelined);
  await until(() => asked.length === 1);
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(server.received).toStrictEqual([]);
  const answer = receive(socket);
  asked[0]?.({ total: 0, items: [] });
  expect((await answer).endsWith("\r\n\r\nok")).toBe(true);
  expect(server.received).toHaveLength(1);

  const gone = await openSocket(server.port);
  gone.write(pipelined);
  await until(() => asked.length === 2);
  gone.destroy();
  await server.close();
  expect(server.received).toHaveLength(1);
});
