import { describe, expect, it } from "vitest";
import { jwtAuthenticator } from "../adapters/auth.js";
import { httpAdapters } from "./httpAdapters.js";
import { httpCases } from "./httpCases.js";
import { adminUserID, type HttpCase, httpWorld, membersText, requestOf, secret, tokens } from "./httpRequest.js";
import { memoryStore } from "./stores.js";

const authenticate = jwtAuthenticator({
  secrets: [secret],
  adminUserIDs: [adminUserID],
  isRevoked: (token) => token === tokens.revoked,
});

describe.each(httpAdapters)("$name", ({ open }) => {
  async function opened({ options, brokenStore }: Pick<HttpCase, "options" | "brokenStore">) {
    const store = memoryStore();
    await store.put(httpWorld);
    if (brokenStore) await store.close();
    return open({ store, authenticate, ...options });
  }

  describe.each(Object.entries(httpCases))("%s", (_subject, cases) => {
    it.each(Object.entries(cases))("%s", async (_name, example) => {
      const send = await opened(example);
      const { status, headers, text } = await send(requestOf(example));
      expect({ status, text }).toStrictEqual({ status: example.status ?? 200, text: example.text });
      for (const [name, value] of Object.entries(example.headers ?? {})) expect(headers.get(name), name).toBe(value);
      if (text !== "") expect(headers.get("content-type")).toBe("application/json");
    });
  });

  it("answers the same operationID again and again", async () => {
    const send = await opened({});
    const request = requestOf({ request: { headers: { operationID: "constant" } } });
    const answers = await Promise.all([send(request), send(request), send(request)]);
    expect(answers.map(({ text }) => text)).toStrictEqual([membersText, membersText, membersText]);
  });
});

it('says "token" in no errDlt but those of token failures and of the missing header', () => {
  const texts = Object.values(httpCases).flatMap((cases) => Object.values(cases).map(({ text }) => text));
  const failures = texts.filter((text) => text !== "" && !text.startsWith('{"errCode":0,'));
  const withToken = failures.map((text) => JSON.parse(text).errDlt).filter((errDlt) => /token/i.test(errDlt));
  expect([...new Set(withToken)].sort()).toStrictEqual([
    "1001 ArgsError: header must have token",
    "1501 TokenExpiredError",
    "1503 TokenMalformedError",
    "1504 TokenNotValidYetError",
    "1505 TokenUnknownError",
    "1506 TokenKickedError",
    "1507 TokenNotExistError",
  ]);
});
