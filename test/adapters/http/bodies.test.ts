import { expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { deferred } from "../../helpers/deferred.js";
import { anybody, passTime, stopTimers, storeOf } from "../../helpers/http/hosts.js";
import { argsError, membersBody, membersText, paths, texts } from "../../helpers/http/request.js";

/** Sends a body that comes piece by piece, as from a network. */
async function send(body: ReadableStream<Uint8Array>, observer = {}): Promise<{ status: number; text: string }> {
  const handler = createFetchHandler({ store: await storeOf(), authenticate: anybody, observer });
  const init = { method: "POST", headers: { operationID: "op-1" }, body, duplex: "half" };
  const response = await handler(new Request(`http://localhost${paths.members}`, init as RequestInit));
  return { status: response.status, text: await response.text() };
}

it("a body in pieces of one byte is put together, though the pieces share their memory", async () => {
  const shared = new Uint8Array(1);
  const bytes = new TextEncoder().encode(membersBody).values();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = bytes.next();
        if (done) return controller.close();
        shared[0] = value;
        controller.enqueue(shared);
      },
    },
    { highWaterMark: 0 },
  );
  expect(await send(body)).toStrictEqual({ status: 200, text: membersText });
});

it("a body that never ends is answered with 413, and given up after a while", async () => {
  stopTimers();
  const givenUp = deferred();
  const tooLong = deferred();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(new Uint8Array(100_000));
      sent += 100_000;
      if (sent > 2_000_000) tooLong.fulfil();
    },
    cancel: () => givenUp.fulfil(),
  });
  const answer = send(body);
  await tooLong.promise;
  await passTime(2_000);
  expect(await answer).toStrictEqual({ status: 413, text: texts.tooLong });
  await givenUp.promise;
});

it("a body that does not come whole in time is 408, and no failure of the server", async () => {
  stopTimers();
  const causes: unknown[] = [];
  const began = deferred();
  const body = new ReadableStream<Uint8Array>({ pull: () => void began.fulfil() });
  const answer = send(body, { onError: (report: unknown) => causes.push(report) });
  await began.promise;
  await passTime(10_000);
  await passTime(2_000);
  expect(await answer).toStrictEqual({ status: 408, text: argsError("body must arrive whole within 10000 ms") });
  expect(causes).toStrictEqual([]);
});

it.each([
  ["arrays within arrays", (count: number) => `{"a":${"[".repeat(count - 2)}${"]".repeat(count - 2)},`],
  ["empty objects", (count: number) => `{"a":[${Array(count - 3).fill("{}")}],`],
  ["unknown fields", (count: number) => `{${[...Array(count - 1).keys()].map((key) => `"k${key}":0`)},`],
])("a body may have 1,000 parts and no more: %s", async (_, beginning) => {
  const sendParts = (count: number) => {
    // The rest has four fields and an object.
    const bytes = new TextEncoder().encode(beginning(count - 5) + membersBody.slice(1));
    return send(new Blob([bytes]).stream());
  };
  expect(await sendParts(1_000)).toStrictEqual({ status: 200, text: membersText });
  expect((await sendParts(1_001)).text).toContain("body must have at most 1000 fields, objects and arrays");
});

it("quotes and brackets within texts are no parts of a body", async () => {
  const ex = JSON.stringify(`${'[{:"\\'.repeat(2_000)}`);
  const bytes = new TextEncoder().encode(`{"ex":${ex},${membersBody.slice(1)}`);
  expect(await send(new Blob([bytes]).stream())).toStrictEqual({ status: 200, text: membersText });
});

it("a body that breaks off is 1001, and no failure of the server", async () => {
  const causes: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"groupID"'));
      controller.error(new Error("connection lost"));
    },
  });
  const answer = await send(body, { onError: (report: unknown) => causes.push(report) });
  expect(answer).toStrictEqual({ status: 200, text: argsError("body must arrive whole") });
  expect(causes).toStrictEqual([]);
});
