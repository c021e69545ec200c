import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import { createNodeListener } from "../../../adapters/node.js";
import type { Store, StoreCall } from "../../../src/index.js";
import { httpWorld, membersBody, membersText, paths } from "../../helpers/http/request.js";
import { memoryStore } from "../../helpers/stores.js";

const internalError = '{"errCode":500,"errMsg":"ServerInternalError","errDlt":"500 ServerInternalError"}';
const late = "Error: the call was given up after the 20 ms that callTimeoutMs allows";
const never = () => new Promise<never>(() => {});

/** A store of a host, whose lists wait, and who is told how each call is to end. */
function waitingStore(calls: StoreCall[]): Store {
  return {
    ...memoryStore(),
    listGroupMembers(_query, call = {}) {
      calls.push(call);
      return never();
    },
  };
}

function observed() {
  const errors: string[] = [];
  const codes: number[] = [];
  const observer: NonNullable<FetchHandlerOptions["observer"]> = {
    onError: ({ error }) => errors.push(String(error)),
    onCall: ({ errCode }) => codes.push(errCode),
  };
  return { observer, errors, codes };
}

function post(path = paths.members, body: string = membersBody, signal?: AbortSignal): Request {
  const init = { method: "POST", headers: { operationID: "op-1", token: "t" }, body };
  return new Request(`http://localhost${path}`, signal === undefined ? init : { ...init, signal });
}

describe("callTimeoutMs", () => {
  it.each<[string, () => Partial<FetchHandlerOptions>]>([
    ["an authenticator", () => ({ authenticate: never })],
    ["a function that gives a store", () => ({ store: never })],
    ["a store", () => ({ store: waitingStore([]) })],
  ])("ends a request that %s lets hang", async (_name, hanging) => {
    const { observer, errors, codes } = observed();
    const handler = createFetchHandler({
      store: memoryStore(),
      authenticate: () => ({ adminUserID: "imAdmin" }),
      callTimeoutMs: 20,
      observer,
      ...hanging(),
    });
    expect(await (await handler(post())).text()).toBe(internalError);
    expect({ errors, codes }).toEqual({ errors: [late], codes: [500] });
  });

  it("tells the store that nobody waits any more", async () => {
    const calls: StoreCall[] = [];
    const { observer } = observed();
    const store = waitingStore(calls);
    const handler = createFetchHandler({
      store,
      authenticate: () => ({ adminUserID: "a" }),
      callTimeoutMs: 20,
      observer,
    });
    await handler(post());
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });

  it("waits for a write that has begun", async () => {
    const store: Store = {
      ...memoryStore(),
      async setConversations({ userIDs }, call) {
        call?.begun?.();
        await new Promise((resolve) => setTimeout(resolve, 60));
        return { outcome: "done", changedUserIDs: [...userIDs] };
      },
    };
    const { observer, errors } = observed();
    const handler = createFetchHandler({
      store,
      authenticate: () => ({ adminUserID: "a" }),
      callTimeoutMs: 20,
      observer,
    });
    const body =
      '{"userIDs":["u1"],"conversation":{"conversationID":"c","conversationType":3,"groupID":"g1","isPinned":true}}';
    expect(await (await handler(post(paths.conversations, body))).text()).toBe(
      '{"errCode":0,"errMsg":"","errDlt":"","data":null}',
    );
    expect(errors).toEqual([]);
  });

  it("may be off, and does not touch calls that are quick", async () => {
    const store = memoryStore();
    await store.put(httpWorld);
    for (const callTimeoutMs of [false, 10_000] as const) {
      const handler = createFetchHandler({ store, authenticate: () => ({ adminUserID: "a" }), callTimeoutMs });
      expect(await (await handler(post())).text()).toBe(membersText);
    }
  });

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN, "10", true, null])("cannot be %s", (callTimeoutMs) => {
    const options = { store: memoryStore(), authenticate: () => ({ adminUserID: "a" }), callTimeoutMs };
    expect(() => createFetchHandler(options as FetchHandlerOptions)).toThrow(
      new TypeError("callTimeoutMs must be an integer from 1 to 2147483647, or false"),
    );
  });
});

describe("a client that has gone", () => {
  it("ends its call on Node, which is no failure of the server", async () => {
    const calls: StoreCall[] = [];
    const { observer, errors, codes } = observed();
    const listener = createNodeListener({
      store: waitingStore(calls),
      authenticate: () => ({ adminUserID: "a" }),
      observer,
    });
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const head = `POST ${paths.members} HTTP/1.1\r\nHost: x\r\noperationID: op-1\r\ntoken: t\r\n`;
    socket.write(`${head}Content-Length: ${membersBody.length}\r\n\r\n${membersBody}`);
    await expect.poll(() => calls.length).toBe(1);
    const { signal } = calls[0] ?? {};
    expect(signal?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => signal?.aborted).toBe(true);
    await expect.poll(() => codes).toEqual([500]);
    expect(errors).toEqual([]);
  });

  it("ends its call where a Request tells", async () => {
    const calls: StoreCall[] = [];
    const { observer, errors, codes } = observed();
    const handler = createFetchHandler({
      store: waitingStore(calls),
      authenticate: () => ({ adminUserID: "a" }),
      observer,
    });
    const controller = new AbortController();
    const answer = handler(post(paths.members, membersBody, controller.signal));
    await expect.poll(() => calls.length).toBe(1);
    controller.abort();
    expect(await (await answer).text()).toBe(internalError);
    expect({ errors, codes, aborted: calls[0]?.signal?.aborted }).toEqual({ errors: [], codes: [500], aborted: true });
  });
});
