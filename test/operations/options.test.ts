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
    "the handler",
    () => createFetchHandler({ store: memoryStore(), authenticate, basePth: "/admin" } as never),
    'the handler does not know the option "basePth"',
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
])("refuses what %s does not take", (_name, create, message) => {
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
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
