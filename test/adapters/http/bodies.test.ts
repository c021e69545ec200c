import { expect, it } from "vitest";
import { fixedTokenAuthenticator } from "../../../adapters/auth.js";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { httpWorld, membersBody, membersText, paths } from "../../helpers/http/request.js";
import { memoryStore } from "../../helpers/stores.js";

/** Sends a body that comes piece by piece, as from a network. */
async function send(body: ReadableStream<Uint8Array>, observer = {}): Promise<{ status: number; text: string }> {
  const store = memoryStore();
  await store.put(httpWorld);
  const authenticate = fixedTokenAuthenticator([{ token: "t", adminUserID: "imAdmin" }]);
  const handler = createFetchHandler({ store, authenticate, observer });
  const init = { method: "POST", headers: { operationID: "op-1", token: "t" }, body, duplex: "half" };
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
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue(new Uint8Array(100_000));
    },
    cancel: giveUp,
  });
  expect(await send(body)).toStrictEqual({
    status: 413,
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must have at most 1048576 bytes"}',
  });
  await givenUp;
});

it("a body that breaks off is 1001, and no failure of the server", async () => {
  const causes: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"groupID"'));
      controller.error(new Error("connection lost"));
    },
  });
  expect(await send(body, { onError: (report: unknown) => causes.push(report) })).toStrictEqual({
    status: 200,
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must arrive whole"}',
  });
  expect(causes).toStrictEqual([]);
});
