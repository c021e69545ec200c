import { expect, it } from "vitest";
import { fixedTokenAuthenticator, jwtAuthenticator } from "../../adapters/auth.js";
import { createFetchHandler } from "../../adapters/fetch.js";
import { getBlackList } from "../../src/index.js";
import { memoryStore } from "../helpers/stores.js";

const authenticate = jwtAuthenticator({ secrets: ["secret"], adminUserIDs: ["imAdmin"] });
const request = () =>
  new Request("http://localhost/friend/get_black_list", { method: "POST", headers: { operationID: "o", token: "t" } });

it.each<[string, () => unknown, string]>([
  [
    "createFetchHandler",
    () => createFetchHandler({ store: memoryStore(), authenticate, basePth: "/admin" } as never),
    'createFetchHandler does not know the option "basePth"',
  ],
  [
    "adminToken",
    () =>
      createFetchHandler({
        store: memoryStore(),
        authenticate,
        adminToken: { secret: "s", adminUserIDs: [], expires: 5 },
      } as never),
    'adminToken does not know the option "expires"',
  ],
  [
    "jwtAuthenticator",
    () => jwtAuthenticator({ secrets: ["s"], adminUserIDs: [], isrevoked: () => true } as never),
    'jwtAuthenticator does not know the option "isrevoked"',
  ],
  [
    "jwtAuthenticator's hook",
    () => jwtAuthenticator({ secrets: ["s"], adminUserIDs: [], isRevoked: true } as never),
    "isRevoked must be a function",
  ],
  [
    "fixedTokenAuthenticator",
    () => fixedTokenAuthenticator([{ token: "t" }] as never),
    "a token's adminUserID must be a non-empty string",
  ],
  [
    "limits",
    () => createFetchHandler({ store: memoryStore(), authenticate, limits: { showNumber: 2 ** 31 } }),
    "limits.showNumber must be an integer from 1 to 2147483647",
  ],
  [
    "createFetchHandler without options",
    () => createFetchHandler(undefined as never),
    "createFetchHandler must be given an object of options: store, authenticate, ",
  ],
  [
    "jwtAuthenticator without options",
    () => jwtAuthenticator(undefined as never),
    "jwtAuthenticator must be given an object of options: secrets, adminUserIDs, isRevoked",
  ],
  [
    "jwtAuthenticator's secrets",
    () => jwtAuthenticator({ secrets: "abc", adminUserIDs: [] } as never),
    'secrets must be a list of one secret or more, such as ["..."]',
  ],
  [
    "fixedTokenAuthenticator's list",
    () => fixedTokenAuthenticator("abc" as never),
    "tokens must be a list of { token, adminUserID }",
  ],
  [
    "a store that lacks a method",
    () => createFetchHandler({ store: { ...memoryStore(), listBlacks: undefined } as never, authenticate }),
    "store must be a store: it lacks the method listBlacks",
  ],
  [
    "a missing store",
    () => createFetchHandler({ authenticate } as never),
    "store must be a store: it lacks the method listGroupMembers",
  ],
  [
    "cors, an origin with a slash",
    () => createFetchHandler({ store: memoryStore(), authenticate, cors: ["https://x.example/"] }),
    'cors: "https://x.example/" matches no origin; it must be a scheme, a host and perhaps a port, such as "https://x.example"',
  ],
  [
    "cors, an origin with a default port",
    () => createFetchHandler({ store: memoryStore(), authenticate, cors: ["https://x.example:443"] }),
    'such as "https://x.example"',
  ],
  [
    "cors, an origin without a scheme",
    () => createFetchHandler({ store: memoryStore(), authenticate, cors: ["localhost:3000"] }),
    'such as "https://console.example.org"',
  ],
  [
    "cors, a string",
    () => createFetchHandler({ store: memoryStore(), authenticate, cors: "https://x.example" } as never),
    "cors must be true, false or a list of origins",
  ],
  [
    "cors, an origin with a wildcard",
    () => createFetchHandler({ store: memoryStore(), authenticate, cors: ["https://*.example.org"] }),
    'cors: "https://*.example.org" matches no origin; it must be a scheme, a host and perhaps a port',
  ],
  [
    "limits, null",
    () => createFetchHandler({ store: memoryStore(), authenticate, limits: null } as never),
    "limits must be an object of showNumber, userIDs, idLength, keywordLength, textLength, writeBytes, bodyBytes",
  ],
  [
    "limits, a number",
    () => createFetchHandler({ store: memoryStore(), authenticate, limits: 100 } as never),
    "limits must be an object of showNumber, ",
  ],
  [
    "a store that has yet to come",
    () => createFetchHandler({ store: Promise.resolve(memoryStore()), authenticate } as never),
    "store must be a store: await its promise",
  ],
  [
    "an observer that is a function",
    () => createFetchHandler({ store: memoryStore(), authenticate, observer: () => {} } as never),
    "observer must be an object of functions: onCall, onError, onConversationsSet",
  ],
  [
    "an observer, null",
    () => createFetchHandler({ store: memoryStore(), authenticate, observer: null } as never),
    "observer must be an object of functions: onCall, onError, onConversationsSet",
  ],
  [
    "an observer whose callback is none",
    () => createFetchHandler({ store: memoryStore(), authenticate, observer: { onError: true } } as never),
    "observer must be an object of functions: onCall, onError, onConversationsSet",
  ],
  [
    "jwtAuthenticator's administrators, a number",
    () => jwtAuthenticator({ secrets: ["s"], adminUserIDs: [10001] } as never),
    "adminUserIDs must be a list of user IDs, which are non-empty strings",
  ],
  [
    "jwtAuthenticator's administrators, a list made of an empty variable",
    () => jwtAuthenticator({ secrets: ["s"], adminUserIDs: "".split(",") }),
    "adminUserIDs must be a list of user IDs, which are non-empty strings",
  ],
  [
    "the administrators of adminToken",
    () =>
      createFetchHandler({
        store: memoryStore(),
        authenticate,
        adminToken: { secret: "s", adminUserIDs: [10001] },
      } as never),
    "adminToken.adminUserIDs must be a list of user IDs, which are non-empty strings",
  ],
])("refuses what %s does not take", (_name, create, message) => {
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

it.each(["/a?b", "/a#b", "/a/../b", "..", "/%2e%2e/a", "https://chat.example/admin"])(
  "refuses the basePath %s, which no request has",
  (basePath) => {
    expect(() => createFetchHandler({ store: memoryStore(), authenticate, basePath })).toThrow(
      new TypeError(`basePath must be a path such as "/admin", and not ${JSON.stringify(basePath)}`),
    );
  },
);

it("takes options that are undefined", () => {
  const undefinedOptions = {
    basePath: undefined,
    cors: undefined,
    limits: undefined,
    callTimeoutMs: undefined,
    observer: undefined,
    adminToken: undefined,
    openApi: undefined,
  };
  expect(createFetchHandler({ store: memoryStore(), authenticate, ...undefinedOptions })).toBeTypeOf("function");
});

it("answers 500 to a call whose signal is none, and tells the observer", async () => {
  const errors: string[] = [];
  const observer = { onError: ({ error }: { error: unknown }) => errors.push(String(error)) };
  const input = { userID: "u404", pagination: { pageNumber: 1, showNumber: 1 } };
  const answer = await getBlackList(memoryStore(), input, { signal: 1000, observer } as never);
  expect(answer).toMatchObject({ errCode: 500 });
  expect(errors).toEqual(["TypeError: signal must be an AbortSignal"]);
});

it.each(["Expired", "RecordNotFoundError", "toString"])(
  "lets nobody in whose authenticator answers the failure %s",
  async (failure) => {
    const handler = createFetchHandler({
      store: memoryStore(),
      authenticate: () => ({ adminUserID: "imAdmin", failure }) as never,
    });
    expect(await (await handler(request())).json()).toMatchObject({ errCode: 500 });
  },
);

it("takes null for no options of a call", async () => {
  const input = { userID: "u404", pagination: { pageNumber: 1, showNumber: 1 } };
  expect(await getBlackList(memoryStore(), input, null as never)).toMatchObject({ errCode: 1004 });
});
