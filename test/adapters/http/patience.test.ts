import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
import { createNodeListener } from "../../../adapters/node.js";
import type { Store, StoreCall } from "../../../src/index.js";
import { deferred } from "../../helpers/deferred.js";
import {
  anybody,
  listening,
  passTime,
  recorder,
  stopTimers,
  storeOf,
  textFrom,
  until,
} from "../../helpers/http/hosts.js";
import { membersBody, membersText, paths, texts } from "../../helpers/http/request.js";
import { memoryStore } from "../../helpers/stores.js";

const late = new Error("the call was given up after the 20 ms that callTimeoutMs allows");
const never = () => new Promise<never>(() => {});

/** A store of a host, whose lists wait, and who is told how each call is to end. */
function waitingStore(calls: StoreCall[] = []): Store {
  return {
    ...memoryStore(),
    listGroupMembers(_query, call = {}) {
      calls.push(call);
      return never();
    },
  };
}

describe("callTimeoutMs", () => {
  it.each<[string, () => Partial<FetchHandlerOptions>]>([
    ["an authenticator", () => ({ authenticate: never })],
    ["a function that gives a store", () => ({ store: never })],
    ["a store", () => ({ store: waitingStore() })],
  ])("ends a request that %s lets hang", async (_name, hanging) => {
    stopTimers();
    const { observer, errors, calls } = recorder();
    const usual = { store: memoryStore(), authenticate: anybody, callTimeoutMs: 20, observer };
    const answer = textFrom(createFetchHandler({ ...usual, ...hanging() }));
    await passTime(19);
    expect(calls).toEqual([]);
    await passTime(1);
    expect(await answer).toBe(texts.internalError);
    expect(errors).toMatchObject([{ error: late }]);
    expect(calls).toMatchObject([{ errCode: 500 }]);
  });

  it("tells the store that nobody waits any more", async () => {
    stopTimers();
    const calls: StoreCall[] = [];
    const store = waitingStore(calls);
    const answer = textFrom(createFetchHandler({ store, authenticate: anybody, callTimeoutMs: 20 }));
    await until(() => calls.length > 0);
    expect(calls[0]?.signal?.aborted).toBe(false);
    await passTime(20);
    await answer;
    expect(calls[0]?.signal?.aborted).toBe(true);
  });

  it("waits for a write that has begun", async () => {
    stopTimers();
    const { observer, errors } = recorder();
    const begun = deferred();
    const written = deferred();
    const store: Store = {
      ...memoryStore(),
      async setConversations({ userIDs }, call) {
        call?.begun?.();
        begun.fulfil();
        await written.promise;
        return { outcome: "done", changedUserIDs: [...userIDs] };
      },
    };
    const body =
      '{"userIDs":["u1"],"conversation":{"conversationID":"c","conversationType":3,"groupID":"g1","isPinned":true}}';
    const handler = createFetchHandler({ store, authenticate: anybody, callTimeoutMs: 20, observer });
    const answer = textFrom(handler, { path: paths.conversations, body });
    await begun.promise;
    await passTime(60);
    written.fulfil();
    expect(await answer).toBe(texts.done);
    expect(errors).toEqual([]);
  });

  it("may be off, and does not touch calls that are quick", async () => {
    const store = await storeOf();
    for (const callTimeoutMs of [false, 10_000] as const) {
      expect(await textFrom(createFetchHandler({ store, authenticate: anybody, callTimeoutMs }))).toBe(membersText);
    }
  });

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN, "10", true, null])("cannot be %s", (callTimeoutMs) => {
    const options = { store: memoryStore(), authenticate: anybody, callTimeoutMs };
    expect(() => createFetchHandler(options as FetchHandlerOptions)).toThrow(
      new TypeError("callTimeoutMs must be an integer from 1 to 2147483647, or false"),
    );
  });
});

describe("a client that has gone", () => {
  it("ends its call on Node, which is no failure of the server", async () => {
    const asked: StoreCall[] = [];
    const { observer, errors, calls } = recorder();
    const listener = createNodeListener({ store: waitingStore(asked), authenticate: anybody, observer });
    const socket = connect(await listening(listener), "127.0.0.1");
    const head = `POST ${paths.members} HTTP/1.1\r\nHost: x\r\noperationID: op-1\r\n`;
    socket.write(`${head}Content-Length: ${membersBody.length}\r\n\r\n${membersBody}`);
    await expect.poll(() => asked).toHaveLength(1);
    const { signal } = asked[0] ?? {};
    expect(signal?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => signal?.aborted).toBe(true);
    await expect.poll(() => calls).toMatchObject([{ errCode: 500 }]);
    expect(errors).toEqual([]);
  });

  it("ends its call where a Request tells", async () => {
    const asked: StoreCall[] = [];
    const { observer, errors, calls } = recorder();
    const handler = createFetchHandler({ store: waitingStore(asked), authenticate: anybody, observer });
    const controller = new AbortController();
    const init = { method: "POST", headers: { operationID: "op-1" }, body: membersBody, signal: controller.signal };
    const answer = handler(new Request(`http://localhost${paths.members}`, init));
    await expect.poll(() => asked).toHaveLength(1);
    controller.abort();
    expect(await (await answer).text()).toBe(texts.internalError);
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(calls).toMatchObject([{ errCode: 500 }]);
    expect(errors).toEqual([]);
  });
});
