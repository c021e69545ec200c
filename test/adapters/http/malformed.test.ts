import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import type { BundledStore } from "../../../src/stores/drivers/sqlite.js";
import { rounds } from "../../helpers/chance.js";
import { served, storeOf } from "../../helpers/http/hosts.js";
import { expectHarmless, harmlessStatuses, innards, malformedRequest } from "../../helpers/http/malformedRequests.js";
import type { HttpRequest } from "../../helpers/http/request.js";
import { sendTo } from "../../helpers/http/send.js";
import { optionsFor } from "../../helpers/http/setup.js";
import { exchange, startLine } from "../../helpers/http/sockets.js";
import { sampleWorld } from "../../helpers/sampleWorld.js";

const fixed = { numRuns: rounds(5_000), timeout: 10_000 };

describe("a malformed request gets a harmless answer and changes nothing", () => {
  type Answer = (request: HttpRequest) => Promise<{ status: number; text: string }>;

  it.each<[string, (options: Opened["options"]) => Promise<Answer>]>([
    ["from the fetch handler", async (options) => sendTo(createFetchHandler(options))],
    [
      "from a server, as it comes over the wire",
      async (options) => {
        const { port } = await served(options);
        return async (request) => {
          const { status, body } = startLine(await exchange(port, asBytes(request)));
          return { status, text: body };
        };
      },
    ],
  ])("%s", async (_name, open) => {
    const { store, options, unforeseen } = await opened();
    const before = await contents(store);
    const answer = await open(options);
    const property = fc.asyncProperty(malformedRequest, async (request) => {
      const { status, text } = await answer(request);
      expect(harmlessStatuses).toContain(status);
      expectHarmless(text);
      expect(await contents(store)).toStrictEqual(before);
    });
    await fc.assert(property, fixed);
    expect(unforeseen).toStrictEqual([]);
  });

  it("from a server, where it is hardly HTTP", async () => {
    const { options, unforeseen } = await opened();
    const { port } = await served(options);
    const property = fc.asyncProperty(bytesLikeHttp, async (bytes) => {
      const { status, body } = startLine(await exchange(port, bytes));
      expect([...harmlessStatuses, 400, 417, 431]).toContain(status);
      expect(body).not.toMatch(innards);
    });
    await fc.assert(property, fixed);
    expect(unforeseen).toStrictEqual([]);
  });
});

/** A request whose line and headers are filled with anything; a client that says how much it sends does send it. */
const bytesLikeHttp = fc
  .record({
    method: fc.constantFrom("POST", "GET", "HEAD", "TRACE", "post", "P", "X".repeat(9000)),
    target: fc.oneof(fc.constantFrom("*", "foo", "http://[::1", "http://a:99999/", "//", "/\\"), latin1(100)),
    version: fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "http", ""),
    host: fc.oneof(fc.constantFrom("x", "999.999.999.999", "a:99999", "[::::]", "xn--a", "a, b", ""), latin1(50)),
    headers: fc.array(
      fc.oneof(
        fc.constantFrom(..."Expect: what|Upgrade: h2c|Transfer-Encoding: gzip|Content-Length: -1|token|: x".split("|")),
        latin1(200),
      ),
      { maxLength: 4 },
    ),
  })
  .map(({ method, target, version, host, headers }) => {
    const lines = [`${method} ${target} ${version}`, "Connection: close", `Host: ${host}`, ...headers];
    return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  });

function latin1(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  return fc.string({ unit, maxLength }).map((text) => text.replace(/[\r\n]/g, ""));
}

type Opened = Awaited<ReturnType<typeof opened>>;

async function opened() {
  const store = await storeOf(sampleWorld);
  const unforeseen: unknown[] = [];
  const observer = { onError: (report: unknown) => unforeseen.push(report) };
  return { store, options: { ...optionsFor(store), observer } as FetchHandlerOptions, unforeseen };
}

async function contents(store: BundledStore): Promise<unknown> {
  const range = { offset: 0, limit: 1000 };
  return [
    await store.listGroupMembers({ groupID: "2559217223", keyword: "", ...range }),
    await store.listJoinedGroups({ userID: "9906953281", ...range }),
    await store.listNotificationAccounts({ keyword: "", ...range }),
    await store.conversations("6965946400"),
    await store.conversations("4365007572"),
  ];
}

function asBytes({ method, path, headers, body = "" }: HttpRequest): Buffer {
  const content = typeof body === "string" ? Buffer.from(body) : Buffer.concat([body as Uint8Array]);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${content.length}`;
  const head = [`${method} ${path} HTTP/1.1`, "host: localhost", "connection: close", length, ...lines].join("\r\n");
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), content]);
}
