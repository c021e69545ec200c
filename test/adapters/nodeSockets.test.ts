import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { passTime, served, stopTimers, storeOf, token, until } from "../helpers/http/hosts.js";
import { argsError, membersBody, membersText, paths, texts } from "../helpers/http/request.js";
import { close, exchange, openSocket, receive, requestBytes, startLine } from "../helpers/http/sockets.js";

const { unknownPath, notJson } = texts;
const tooLong = argsError("body must have at most 100 bytes");
const chunked = "Transfer-Encoding: chunked";
const length = `Content-Length: ${membersBody.length}`;

/** A request for members, or for another target. Without a body it is a head, which may announce one. */
function post(headers: readonly string[] = [], body?: string, target = paths.members): string {
  return requestBytes(`POST ${target}`, ["operationID: op-1", `token: ${token}`, ...headers], body);
}

const good = post([], membersBody);
const last = post([close], membersBody);
const served200 = { status: 200, body: membersText };

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

  const answerTo = async (bytes: string) => startLine(await exchange(port, bytes));

  async function expectAlive() {
    expect(await answerTo(last)).toStrictEqual(served200);
  }

  it.each([
    ["a body that is too long", post(["Content-Length: 101", "Expect: 100-continue"]), 413, tooLong],
    ["another path", post([length, "Expect: 100-continue"], undefined, "/"), 404, unknownPath],
  ])("does not ask for the body of a request that it refuses: %s", async (_title, refused, status, body) => {
    const socket = await openSocket(port);
    socket.write(refused);
    const [bytes] = await once(socket, "data");
    socket.destroy();
    expect(startLine(String(bytes))).toStrictEqual({ status, body });
  });

  it.each([
    ["answers an endless upload with 413, and hangs up", chunked, `3e8\r\n${"x".repeat(1000)}\r\n`],
    ["answers a length over the limit before the body comes, and does not wait for it", "Content-Length: 101", ""],
  ])("%s", async (_title, framing, upload) => {
    stopTimers();
    const socket = await openSocket(port);
    socket.write(post([framing]));
    const uploading = setInterval(() => socket.write(upload), 5);
    const answer = receive(socket).finally(() => clearInterval(uploading));
    await once(socket, "data");
    await passTime(2_000);
    expect(startLine(await answer)).toStrictEqual({ status: 413, body: tooLong });
    await expectAlive();
  });

  it.each([
    ["with its length", post([], "x".repeat(500_000))],
    ["in chunks", `${post([chunked])}${`3e8\r\n${"x".repeat(1000)}\r\n`.repeat(500)}0\r\n\r\n`],
  ])("reads past a body over the limit, sent %s, to the next request", async (_name, bytes) => {
    expect(statuses(await exchange(port, bytes + last))).toStrictEqual([413, 200]);
  });

  it("hangs up on a client that does not read its answers", async () => {
    stopTimers();
    const socket = (await openSocket(port)).pause();
    // A reset ends it as well.
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await store.put({ groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 100, ex: "x".repeat(1_000_000) }] });
    // The answers are more than all that the network holds.
    socket.write(good.repeat(20));
    await until(() => calls.length === 20);
    await passTime(30_000);
    socket.resume();
    await ended;
    // One call may have been under way all the time.
    unforeseen.length = 0;
  });

  describe("keeps no more than 64 MiB of answers for clients that do not read them", () => {
    const page = JSON.stringify({ groupID: "g1", pagination: { pageNumber: 1, showNumber: 100 } });
    beforeEach(async () => {
      // A page has sixteen megabytes.
      const ex = "x".repeat(200_000);
      const groupMembers = Array.from({ length: 80 }, (_, index) => ({ groupID: "g1", userID: `m${index}`, ex }));
      await store.put({ users: groupMembers, groupMembers });
    });

    it("on several connections: the oldest are cut, and four may wait", async () => {
      const sockets = [];
      for (let asked = 1; asked <= 6; asked += 1) {
        const socket = (await openSocket(port)).pause();
        sockets.push(socket);
        socket.write(post([close], page));
        await expect.poll(() => calls.length).toBe(asked);
      }
      const answers = await Promise.all(sockets.map((socket) => receive(socket)));
      expect(answers.map((answer) => answer.endsWith("}"))).toStrictEqual([false, false, true, true, true, true]);
    });

    it("on one connection, which is cut", async () => {
      const socket = (await openSocket(port)).pause();
      socket.write(post([], page).repeat(6));
      await expect.poll(() => calls.length).toBeGreaterThan(3);
      expect((await receive(socket)).length).toBeLessThan(67_108_864);
    });
  });

  it("keeps nothing of the answers to a client that sends thousands of requests and goes", async () => {
    const answered: WeakRef<object>[] = [];
    const handled: { port: number } = await served({
      store,
      async authenticate(_token, { raw }) {
        answered.push(new WeakRef(raw as object));
        return { failure: "TokenMalformedError" };
      },
    });
    for (let client = 1; client <= 25; client += 1) {
      const socket = await openSocket(handled.port);
      socket.write(post([], "").repeat(20), () => socket.resetAndDestroy());
    }
    await expect.poll(() => answered.length).toBeGreaterThan(50);
    await expect
      .poll(() => {
        collectGarbage();
        return answered.filter((request) => request.deref() !== undefined).length;
      })
      .toBe(0);
  });

  it("answers requests that come in one go in their order", async () => {
    const unknown = post([], "{}", "/nowhere");
    const answers = await exchange(port, good + unknown + good + unknown + post([close]));
    expect(statuses(answers)).toStrictEqual([200, 404, 200, 404, 200]);
  });

  it("asks for the body where the client waits to be asked", async () => {
    const socket = await openSocket(port);
    socket.write(post(["Expect: 100-continue", length, close]));
    const [asked] = await once(socket, "data");
    expect(asked.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write(membersBody);
    expect(startLine(await receive(socket))).toStrictEqual(served200);
  });

  const target = (path: string) => post([close], membersBody, path);
  const host = (name: string) => last.replace("Host: x", `Host: ${name}`);
  const withoutHost = last.replace("Host: x\r\n", "");

  it.each([
    [
      "a token that a client or a proxy has sent twice",
      post([close, `Token: ${token}`], membersBody),
      200,
      membersText,
    ],
    ["an expectation that it does not know", post([close, "Expect: x"], membersBody), 200, membersText],
    ["no body as an empty one", post([close]), 200, notJson],
    ["an address of another host", target(`http://other.example${paths.members}`), 200, membersText],
    ["an address with an impossible port", target(`http://x:99999${paths.members}`), 404, unknownPath],
    ["an asterisk", target("*"), 404, unknownPath],
    ["backslashes", target(paths.members.replaceAll("/", "\\").replace("\\", "/")), 404, unknownPath],
    ["a fragment", target(`${paths.members}#f`), 404, unknownPath],
    ["a backslash in a query", target(`${paths.members}?a=\\#`), 200, membersText],
    ["two slashes", target(`/${paths.members}`), 404, unknownPath],
    ["what is no address", target("http://["), 404, unknownPath],
    ["a path without a slash", target("group"), 400, ""],
    ["a script", target("javascript:alert(1)"), 400, ""],
    ...["", "a b", "<script>", "ü", "x".repeat(300), "999.999.999.999", "a:99999", "[::::]"].map(
      (name): [string, string, number, string] => [`the host ${name}`, host(name), 200, membersText],
    ),
    ["no host in HTTP/1.1", withoutHost, 400, ""],
    ["no host in HTTP/1.0", withoutHost.replace("HTTP/1.1", "HTTP/1.0"), 200, membersText],
    ["headers of more than 16 KiB", post([`x: ${"y".repeat(17_000)}`]), 431, ""],
    ["a tunnel", requestBytes("CONNECT x:1"), 0, ""],
    // These may mean two things.
    ["a chunk that is none", `${post([chunked])}zz\r\n`, 400, ""],
    ["two lengths", `${post(["Content-Length: 1", "Content-Length: 2"])}{}`, 400, ""],
    ["a length beside chunks", `${post([length, chunked])}0\r\n\r\n`, 400, ""],
    ["a header on two lines", post(["x: a\r\n b"], membersBody), 400, ""],
    ["a line break in a header", post(["x: a\rtoken: b"], membersBody), 400, ""],
  ])("takes %s, or refuses it, and lives on", async (_name, bytes, status, body) => {
    expect(await answerTo(bytes)).toStrictEqual({ status, body });
    await expectAlive();
  });

  it.each([
    ["in the request line", "POST /gro"],
    ["before the body", post([length])],
    ["in the body", `${post([length])}{"gro`],
    ["in a chunk", `${post([chunked])}5\r\n{"g`],
    ["between chunks", `${post([chunked])}1\r\n{\r\n`],
    ["after a body over the limit", `${post(["Content-Length: 5000"])}${"x".repeat(200)}`],
    ["before the answer", good],
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
});

/** The statuses of several answers. */
function statuses(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
}
