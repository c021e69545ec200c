import { describe, expect, it } from "vitest";
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from "../../../adapters/fetch.js";
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
import { openSocket, requestBytes } from "../../helpers/http/sockets.js";
import { memoryStore } from "../../helpers/stores.js";

const late = new Error("the call was given up after the 20 ms that callTimeoutMs allows");
const never = () => new Promise<never>(() => {});

/** Options with a store of a host, whose lists wait, and what that store and the observer are told. */
function waiting() {
  const asked: StoreCall[] = [];
  const { observer, errors, calls } = recorder();
  const store: Store = {
    ...memoryStore(),
    listGroupMembers(_query, call = {}) {
      asked.push(call);
      return never();
    },
  };
  return { options: { store, authenticate: anybody, callTimeoutMs: 20, observer }, asked, errors, calls };
}

describe("callTimeoutMs", () => {
  it.each<[string, Partial<FetchHandlerOptions>]>([
    ["an authenticator", { authenticate: never }],
    ["a function that gives a store", { store: never }],
    ["a store", {}],
  ])("ends a request that %s lets hang, and tells the store", async (_name, hanging) => {
    stopTimers();
    const { options, asked, errors, calls } = waiting();
    const answer = textFrom(createFetchHandler({ ...options, ...hanging }));
    const isOfStore = Object.keys(hanging).length === 0;
    await until(() => asked.length === Number(isOfStore));
    await passTime(19);
    expect(calls).toEqual([]);
    expect(asked.map(({ signal }) => signal?.aborted)).toEqual(isOfStore ? [false] : []);
    await passTime(1);
    expect(await answer).toBe(texts.internalError);
    expect(errors).toMatchObject([{ error: late }]);
    expect(calls).toMatchObject([{ errCode: 500 }]);
    expect(asked.map(({ signal }) => signal?.aborted)).toEqual(isOfStore ? [true] : []);
  });

  it("waits for a write that has begun", async () => {
    stopTimers();
    const { options, errors } = waiting();
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
    const answer = textFrom(createFetchHandler({ ...options, store }), { path: paths.conversations, body });
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
    expect(() => createFetchHandler({ ...waiting().options, callTimeoutMs: callTimeoutMs as number })).toThrow(
      new TypeError("callTimeoutMs must be an integer from 1 to 2147483647, or false"),
    );
  });
});

describe("a client that has gone ends its call, which is no failure of the server", () => {
  type Gone = () => unknown;
  it.each<[string, (options: FetchHandlerOptions<undefined, undefined>) => Promise<Gone>]>([
    [
      "on Node",
      async (options) => {
        const socket = await openSocket(await listening(createNodeListener(options)));
        socket.write(requestBytes(`POST ${paths.members}`, ["operationID: op-1"], membersBody));
        return () => socket.destroy();
      },
    ],
    [
      "where a Request tells",
      async (options) => {
        const controller = new AbortController();
        const init = { method: "POST", headers: { operationID: "op-1" }, body: membersBody, signal: controller.signal };
        const handler: FetchHandler<undefined, undefined> = createFetchHandler(options);
        const answer = handler(new Request(`http://localhost${paths.members}`, init));
        return async () => {
          controller.abort();
          expect(await (await answer).text()).toBe(texts.internalError);
        };
      },
    ],
  ])("%s", async (_name, send) => {
    const { options, asked, errors, calls } = waiting();
    const go = await send({ ...options, callTimeoutMs: false });
    await until(() => asked.length === 1);
    const { signal } = asked[0] ?? {};
    expect(signal?.aborted).toBe(false);
    await go();
    await until(() => calls.length === 1);
    expect(signal?.aborted).toBe(true);
    expect(calls).toMatchObject([{ errCode: 500 }]);
    expect(errors).toEqual([]);
  });
});
