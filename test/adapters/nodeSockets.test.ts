import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { passTime, served, stopTimers, storeOf, token } from "../helpers/http/hosts.js";
import { argsError, membersBody, membersText, paths, texts } from "../helpers/http/request.js";
import { exchange, openSocket, receive, startLine } from "../helpers/http/sockets.js";

const { unknownPath, notJson } = texts;
const tooLong = argsError("body must have at most 100 bytes");

/** A request's head, ready for its body. */
function head({ target = paths.members, host = "x", more = [] as string[] } = {}): string {
  const lines = [`POST ${target} HTTP/1.1`, `Host: ${host}`, "operationID: op-1", `token: ${token}`, ...more];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const length = `Content-Length: ${membersBody.length}`;
const chunked = "Transfer-Encoding: chunked";
const last = "Connection: close";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

describe("over a raw connection, serve", () => {
  let store: BundledStore;
  let port: number;
  let calls: number[];
  let unforeseen: unknown[];
  beforeEach(async () => {
    calls = [];
    unforeseen = [];
    const reject = (reason: unknown) => unforeseen.push(reason);
    process.on("unhandledRejection", reject);
    onTestFinished(() => {
      process.off("unhandledRejection", reject);
      expect(unforeseen).toStrictEqual([]);
    });
    const observer = { onCall: ({ errCode }: { errCode: number }) => calls.push(errCode), onError: reject };
    store = await storeOf();
    ({ port } = await served({ store, limits: { bodyBytes: 100 }, observer }));
  });

  /** The answer to a request for members, or to one with another head. */
  async function answerTo(different: Parameters<typeof head>[0] = {}) {
    return startLine(await exchange(port, head({ more: [length, last], ...different }) + membersBody));
  }

  it.each([
    ["a body that is too long", head({ more: ["Content-Length: 101", "Expect: 100-continue"] }), 413, tooLong],
    ["another path", head({ target: "/", more: [length, "Expect: 100-continue"] }), 404, unknownPath],
  ])("does not ask for the body of a request that it refuses: %s", async (_title, refused, status, body) => {
    const socket = await openSocket(port);
    socket.write(refused);
    const [bytes] = await once(socket, "data");
    socket.destroy();
    expect(startLine(String(bytes))).toStrictEqual({ status, body });
  });

  async function expectAlive() {
    expect(await answerTo()).toStrictEqual({ status: 200, body: membersText });
  }

  it("takes a token that a client or a proxy has sent twice", async () => {
    const answer = await answerTo({ more: [`Token: ${token}`, length, last] });
    expect(answer).toStrictEqual({ status: 200, body: membersText });
  });

  it.each([
    ["answers an endless upload with 413, and hangs up", [chunked], `3e8\r\n${"x".repeat(1000)}\r\n`],
    ["answers a length over the limit before the body comes, and does not wait for it", ["Content-Length: 101"], ""],
  ])("%s", async (_title, more, upload) => {
    stopTimers();
    const socket = await openSocket(port);
    socket.write(head({ more }));
    const uploading = setInterval(() => socket.write(upload), 5);
    const answer = receive(socket).finally(() => clearInterval(uploading));
    await once(socket, "data");
    await passTime(2_000);
    expect(startLine(await answer)).toStrictEqual({ status: 413, body: tooLong });
    await expectAlive();
  });

  it.each([
    ["with its length", `${head({ more: ["Content-Length: 500000"] })}${"x".repeat(500_000)}`],
    ["in chunks", `${head({ more: [chunked] })}${`3e8\r\n${"x".repeat(1000)}\r\n`.repeat(500)}0\r\n\r\n`],
  ])("reads past a body over the limit, sent %s, to the next request", async (_name, bytes) => {
    const answers = await exchange(port, bytes + head({ more: [length, last] }) + membersBody);
    expect(statuses(answers)).toStrictEqual([413, 200]);
  });

  it("hangs up on a client that does not read its answers", async () => {
    stopTimers();
    const socket = await openSocket(port);
    socket.pause();
    // A reset ends it as well.
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await store.put({ groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 100, ex: "x".repeat(65_000) }] });
    socket.write((head({ more: [length] }) + membersBody).repeat(1_000));
    // The answers fill all that the network holds, and then nothing moves any more.
    let before = -1;
    while (before !== calls.length || before === 0) {
      before = calls.length;
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    expect(calls.length).toBeLessThan(1_000);
    await passTime(30_000);
    socket.resume();
    await ended;
    // One call may have been under way all the time.
    unforeseen.length = 0;
  });

  it("keeps no more than 64 MiB of answers for clients that do not read them: the oldest are cut", async () => {
    const groupMembers = Array.from({ length: 100 }, (_, i) => ({
      groupID: "g1",
      userID: `m${i}`,
      ex: "x".repeat(200_000),
    }));
    await store.put({ users: groupMembers, groupMembers });
    const page = JSON.stringify({ groupID: "g1", pagination: { pageNumber: 1, showNumber: 100 } });
    const sockets = [];
    for (let asked = 1; asked <= 6; asked += 1) {
      const socket = (await openSocket(port)).pause();
      sockets.push(socket);
      socket.write(`${head({ more: [`Content-Length: ${page.length}`, last] })}${page}`);
      await expect.poll(() => calls.length).toBe(asked);
    }
    // Twenty megabytes each: three may wait.
    const answers = await Promise.all(sockets.map((socket) => receive(socket)));
    expect(answers.map((answer) => answer.endsWith("}"))).toStrictEqual([false, false, false, true, true, true]);
  });

  it("cuts a connection on which more than 64 MiB of answers wait one after the other", async () => {
    const groupMembers = Array.from({ length: 100 }, (_, i) => ({
      groupID: "g1",
      userID: `m${i}`,
      ex: "x".repeat(200_000),
    }));
    await store.put({ users: groupMembers, groupMembers });
    const page = JSON.stringify({ groupID: "g1", pagination: { pageNumber: 1, showNumber: 100 } });
    const socket = (await openSocket(port)).pause();
    socket.write(`${head({ more: [`Content-Length: ${page.length}`] })}${page}`.repeat(6));
    await expect.poll(() => calls.length).toBe(6);
    const answers = await receive(socket);
    expect(answers.length).toBeLessThan(67_108_864);
  });

  it("keeps nothing of the answers to a client that sends thousands of requests and goes", async () => {
    const answered: WeakRef<object>[] = [];
    const handled = (await served({
      store,
      async authenticate(_token, { raw }) {
        answered.push(new WeakRef(raw as object));
        return { failure: "TokenMalformedError" };
      },
    })) as { port: number };
    const socket = await openSocket(handled.port);
    socket.write(`${head({ more: ["Content-Length: 0"] })}`.repeat(500), () => socket.resetAndDestroy());
    await expect.poll(() => answered.length).toBeGreaterThan(50);
    await expect
      .poll(() => {
        collectGarbage();
        return answered.filter((request) => request.deref() !== undefined).length;
      })
      .toBe(0);
  });

  it("answers requests that come in one go in their order", async () => {
    const good = head({ more: [length] }) + membersBody;
    const unknown = `${head({ target: "/nowhere", more: ["Content-Length: 2"] })}{}`;
    const answers = await exchange(port, good + unknown + good + unknown + head({ more: [last] }));
    expect(statuses(answers)).toStrictEqual([200, 404, 200, 404, 200]);
  });

  it("asks for the body where the client waits to be asked", async () => {
    const socket = await openSocket(port);
    socket.write(head({ more: ["Expect: 100-continue", length, last] }));
    const [asked] = await once(socket, "data");
    expect(asked.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write(membersBody);
    expect(startLine(await receive(socket))).toStrictEqual({ status: 200, body: membersText });
  });

  it("answers a request whose expectation it does not know like any other", async () => {
    expect(await answerTo({ more: [length, last, "Expect: x"] })).toStrictEqual({ status: 200, body: membersText });
  });

  it("takes a request without a body for one with an empty body", async () => {
    expect(startLine(await exchange(port, head({ more: [last] })))).toStrictEqual({ status: 200, body: notJson });
  });

  it.each([
    ["an address of another host", `http://other.example${paths.members}`, 200, membersText],
    ["an address with an impossible port", `http://x:99999${paths.members}`, 404, unknownPath],
    ["an asterisk", "*", 404, unknownPath],
    ["backslashes", paths.members.replaceAll("/", "\\").replace("\\", "/"), 404, unknownPath],
    ["a fragment", `${paths.members}#f`, 404, unknownPath],
    ["a backslash in a query", `${paths.members}?a=\\#`, 200, membersText],
    ["two slashes", `/${paths.members}`, 404, unknownPath],
    ["what is no address", "http://[", 404, unknownPath],
    ["a path without a slash", "group", 400, ""],
    ["a script", "javascript:alert(1)", 400, ""],
  ])("answers a request for %s", async (_name, target, status, body) => {
    expect(await answerTo({ target })).toStrictEqual({ status, body });
    await expectAlive();
  });

  it.each(["999.999.999.999", "a:99999", "[::::]"])("survives the host %s", async (host) => {
    const health = await exchange(port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(startLine(health)).toStrictEqual({ status: 200, body: '{"status":"ok"}' });
  });

  it.each(["", "a b", "<script>", "ü", "x".repeat(300)])("does not care for the host: %s", async (host) => {
    expect(await answerTo({ host })).toStrictEqual({ status: 200, body: membersText });
  });

  it("wants a host of HTTP/1.1 and none of HTTP/1.0", async () => {
    const withoutHost = head({ more: [length, last] }).replace("Host: x\r\n", "") + membersBody;
    expect(startLine(await exchange(port, withoutHost)).status).toBe(400);
    expect(startLine(await exchange(port, withoutHost.replace("HTTP/1.1", "HTTP/1.0"))).status).toBe(200);
  });

  it("refuses headers of more than 16 KiB, and is no tunnel", async () => {
    expect(startLine(await exchange(port, head({ more: [`x: ${"y".repeat(17_000)}`] }))).status).toBe(431);
    expect(await exchange(port, "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n")).toBe("");
    await expectAlive();
  });

  it.each([
    ["in the request line", "POST /gro"],
    ["before the body", head({ more: [length] })],
    ["in the body", `${head({ more: [length] })}{"gro`],
    ["in a chunk", `${head({ more: [chunked] })}5\r\n{"g`],
    ["between chunks", `${head({ more: [chunked] })}1\r\n{\r\n`],
    ["after a body over the limit", `${head({ more: ["Content-Length: 5000"] })}${"x".repeat(200)}`],
    ["before the answer", head({ more: [length] }) + membersBody],
  ])("is not harmed by a client that hangs up %s", async (_place, bytes) => {
    for (const hangUp of ["end", "destroy", "resetAndDestroy"] as const) {
      const socket = await openSocket(port);
      socket.write(bytes);
      // Wait until the server has read it: no event tells.
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket[hangUp]();
    }
    await expectAlive();
    expect(calls).not.toContain(500);
  });

  it.each([
    ["a chunk that is none", `${head({ more: [chunked] })}zz\r\n`],
    ["two lengths", `${head({ more: ["Content-Length: 1", "Content-Length: 2"] })}{}`],
    ["a length beside chunks", `${head({ more: [length, chunked] })}0\r\n\r\n`],
    ["a header on two lines", head({ more: ["x: a\r\n b", length] }) + membersBody],
    ["a line break in a header", head({ more: ["x: a\rtoken: b", length] }) + membersBody],
  ])("refuses %s, as it may mean two things", async (_name, bytes) => {
    expect(startLine(await exchange(port, bytes)).status).toBe(400);
    await expectAlive();
  });
});

/** The statuses of several answers. */
function statuses(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
}
