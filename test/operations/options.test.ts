import { expect, it } from "vitest";
import { fixedTokenAuthenticator, jwtAuthenticator } from "../../adapters/auth.js";
import { createFetchHandler } from "../../adapters/fetch.js";
import { getBlackList } from "../../src/index.js";
import { memoryStore } from "../helpers/stores.js";

const authenticate = jwtAuthenticator({ secrets: ["secret"], adminUserIDs: ["imAdmin"] });
const request = () =>
  new Request("http://localhost/friend/get_black_list", { method: "POST", headers: { operationID: "o", token: "t" } });

const administrators = "must be a list of user IDs, which are non-empty strings";
const observers = "observer must be an object of functions: onCall, onError, onConversationsSet";

it.each<[string, object, string]>([
  ["a wrong name", { basePth: "/admin" }, 'createFetchHandler does not know "basePth"'],
  [
    "a wrong name in adminToken",
    { adminToken: { secret: "s", adminUserIDs: [], expires: 5 } },
    'adminToken does not know "expires"',
  ],
  [
    "administrators that are numbers",
    { adminToken: { secret: "s", adminUserIDs: [10001] } },
    `adminToken.adminUserIDs ${administrators}`,
  ],
  [
    "a limit that is too large",
    { limits: { showNumber: 2 ** 31 } },
    "limits.showNumber must be an integer from 1 to 2147483647",
  ],
  [
    "null for limits",
    { limits: null },
    "limits must be given an object of showNumber, pageBytes, userIDs, idLength, keywordLength, textLength, writeBytes, bodyBytes",
  ],
  ["a number for limits", { limits: 100 }, "limits must be given an object of showNumber, "],
  ["no store", { store: undefined }, "store must be a store: it lacks the method listGroupMembers"],
  ["a store that has yet to come", { store: Promise.resolve({}) }, "store must be a store: await its promise"],
  [
    "an origin with a slash",
    { cors: ["https://x.example/"] },
    'cors: "https://x.example/" matches no origin; it must be a scheme, a host and perhaps a port, such as "https://x.example"',
  ],
  ["an origin with a default port", { cors: ["https://x.example:443"] }, 'such as "https://x.example"'],
  ["an origin without a scheme", { cors: ["localhost:3000"] }, 'such as "https://console.example.org"'],
  [
    "an origin with a wildcard",
    { cors: ["https://*.example.org"] },
    'cors: "https://*.example.org" matches no origin; it must be a scheme, a host and perhaps a port',
  ],
  ["a string for cors", { cors: "https://x.example" }, "cors must be true, false or a list of origins"],
  ["null for an observer", { observer: null }, observers],
  ["an observer whose callback is none", { observer: { onError: true } }, observers],
])("createFetchHandler refuses %s", (_what, options, message) => {
  const create = () => createFetchHandler({ store: memoryStore(), authenticate, ...options } as never);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

it.each<[string, object, string]>([
  ["a wrong name", { isrevoked: () => true }, 'jwtAuthenticator does not know "isrevoked"'],
  ["a hook that is none", { isRevoked: true }, "isRevoked must be a function"],
  ["a string for secrets", { secrets: "abc" }, 'secrets must be a list of one secret or more, such as ["..."]'],
  ["administrators that are numbers", { adminUserIDs: [10001] }, `adminUserIDs ${administrators}`],
  ["administrators of an empty variable", { adminUserIDs: "".split(",") }, `adminUserIDs ${administrators}`],
])("jwtAuthenticator refuses %s", (_what, options, message) => {
  const create = () => jwtAuthenticator({ secrets: ["s"], adminUserIDs: [], ...options } as never);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

it.each<[string, () => unknown, string]>([
  [
    "createFetchHandler without options",
    () => createFetchHandler(undefined as never),
    "createFetchHandler must be given an object of store, authenticate, ",
  ],
  [
    "createFetchHandler with a store that lacks a method",
    () => createFetchHandler({ store: { ...memoryStore(), listBlacks: undefined } as never, authenticate }),
    "store must be a store: it lacks the method listBlacks",
  ],
  [
    "jwtAuthenticator without options",
    () => jwtAuthenticator(undefined as never),
    "jwtAuthenticator must be given an object of secrets, adminUserIDs, isRevoked",
  ],
  [
    "fixedTokenAuthenticator without a list",
    () => fixedTokenAuthenticator("abc" as never),
    "tokens must be a list of { token, adminUserID }",
  ],
  [
    "fixedTokenAuthenticator without an administrator",
    () => fixedTokenAuthenticator([{ token: "t" }] as never),
    "a token's adminUserID must be a non-empty string",
  ],
])("refuses %s", (_what, create, message) => {
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
