import { beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { httpAdapters, type Send } from "../../helpers/http/adapters.js";
import { httpCases } from "../../helpers/http/cases.js";
import { httpWorld, membersText, requestOf } from "../../helpers/http/request.js";

// Side by side, since a Worker waits two seconds for a body that is shorter than it says.
describe.concurrent.each(httpAdapters)("$name", ({ open, isPart }) => {
  let send: Send;
  beforeAll(async () => {
    const store = openSqliteStore({ path: ":memory:" });
    await store.put(httpWorld);
    const opened = await open(store);
    send = opened.send;
    return async () => {
      await opened.close?.();
      await store.close();
    };
  });

  describe.each(Object.entries(httpCases))("%s", (_subject, cases) => {
    // Where the functions are a part of an application, that answers the other paths.
    const answered = Object.entries(cases).filter(([, { status }]) => !(isPart && status === 404));
    it.each(answered)("%s", async (_name, example) => {
      const { status, headers, text } = await send(requestOf(example), example);
      expect({ status, text }).toStrictEqual({ status: example.status ?? 200, text: example.text });
      for (const [name, value] of Object.entries(example.headers ?? {})) expect(headers.get(name), name).toBe(value);
      if (text !== "") expect(headers.get("content-type")).toBe("application/json");
    });
  });

  it("answers the same operationID again and again", async () => {
    const request = requestOf({ request: { headers: { operationID: "constant" } } });
    const answers = await Promise.all([send(request), send(request), send(request)]);
    expect(answers.map(({ text }) => text)).toStrictEqual([membersText, membersText, membersText]);
  });
});

it('says "token" only in the errDlt of token failures and of the missing header', () => {
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
