import { AutoRouter, IttyRouter, Router } from "itty-router";
import { AutoRouter as AutoRouter6, IttyRouter as IttyRouter6, Router as Router6 } from "itty-router-6";
import { beforeAll, describe, expect, it } from "vitest";
import { createFetchHandler, type FetchHandler } from "../../../adapters/fetch.js";
import { type AdminRouter, mountAdminRoutes } from "../../../adapters/itty-router.js";
import { createNodeListener } from "../../../adapters/node.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { httpCases } from "../../helpers/http/cases.js";
import { listening } from "../../helpers/http/hosts.js";
import { expectAnswer, httpWorld, membersText, paths, requestOf, texts } from "../../helpers/http/request.js";
import { type Send, sendTo, sendToPort } from "../../helpers/http/send.js";
import { optionsFor } from "../../helpers/http/setup.js";
import { startHttpWorker } from "../../helpers/workerd.js";

const store = openSqliteStore({ path: ":memory:" });
beforeAll(async () => {
  await store.put(httpWorld);
  return () => store.close();
});

const { conversions = {}, ...others } = httpCases;

describe.each(Object.entries(others))("%s", (_subject, cases) => {
  it.each(Object.entries(cases))("%s", async (_name, example) => {
    const handler = createFetchHandler({ ...optionsFor(store), ...example.options });
    await expectAnswer(sendTo(handler), example);
  });
});

it.each([
  ["", { text: membersText }],
  ["x", { status: 404, text: texts.unknownPath }],
  ["/healthz/x", { status: 404, text: texts.unknownPath }],
])("answers at once at a path of very many slashes before %j", async (end, answer) => {
  // They would keep a processor busy for minutes if each were compared with all that follow.
  const path = `${paths.members}${"/".repeat(400_000)}${end}`;
  await expectAnswer(sendTo(createFetchHandler(optionsFor(store))), { request: { path }, ...answer });
});

type MakeRouter = () => AdminRouter & { fetch: FetchHandler };

const onRouter = (make: MakeRouter) => async () => {
  const router = mountAdminRoutes(make(), optionsFor(store));
  router.all("*", () => new Response(texts.unknownPath, { status: 404 }));
  return sendTo(router.fetch);
};

describe.each<[string, () => Promise<Send>]>([
  ["createFetchHandler", async () => sendTo(createFetchHandler(optionsFor(store)))],
  ["createNodeListener", async () => sendToPort(await listening(createNodeListener(optionsFor(store))))],
  ["mountAdminRoutes on IttyRouter", onRouter(IttyRouter)],
  ["mountAdminRoutes on Router", onRouter(Router)],
  ["mountAdminRoutes on AutoRouter", onRouter(AutoRouter)],
  ["mountAdminRoutes on IttyRouter of version 6", onRouter(IttyRouter6)],
  ["mountAdminRoutes on Router of version 6", onRouter(Router6)],
  ["mountAdminRoutes on AutoRouter of version 6", onRouter(AutoRouter6)],
  ["a Worker with D1", async () => sendToPort((await startHttpWorker()).port)],
])("%s", (_name, open) => {
  it("turns each request into plain data, and each answer back", async () => {
    const send = await open();
    // At once, since a Worker waits two seconds for a body that is shorter than it says.
    await Promise.all(Object.values(conversions).map((example) => expectAnswer(send, example)));
  });
});

it("answers the same operationID again and again", async () => {
  const send = sendTo(createFetchHandler(optionsFor(store)));
  const request = requestOf({ request: { headers: { operationID: "constant" } } });
  const answers = await Promise.all([send(request), send(request), send(request)]);
  expect(answers.map(({ text }) => text)).toStrictEqual([membersText, membersText, membersText]);
});

it('says "token" only in the errDlt of token failures and of the missing header', () => {
  const texts = Object.values(httpCases).flatMap((cases) => Object.values(cases).map(({ text }) => text));
  const failures = texts.filter((text) => text !== "" && !text.startsWith('{"errCode":0,'));
  const withToken = failures.map((text) => JSON.parse(text).errDlt).filter((errDlt) => /token/i.test(errDlt));
  expect([...new Set(withToken)].sort()).toStrictEqual([
    "1001 ArgsError: header must have token",
    "1501 TokenExpiredError",
    "1503 TokenMalformedError",
    "1503 TokenMalformedError: exp lies beyond the year 5000, as a time in milliseconds does: give it in seconds",
    "1504 TokenNotValidYetError",
    "1505 TokenUnknownError: its signature is of another secret than the server's, or it was damaged on its way",
    "1506 TokenKickedError",
    "1507 TokenNotExistError",
  ]);
});
