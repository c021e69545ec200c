import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import type { RecordSet, Store } from "../../../src/index.js";
import { rounds } from "../../helpers/chance.js";
import { sendTo } from "../../helpers/http/adapters.js";
import { httpCases } from "../../helpers/http/cases.js";
import { malformedRequest } from "../../helpers/http/malformedRequests.js";
import { type HttpSetup, httpWorld, paths, requestOf, secret, tokens } from "../../helpers/http/request.js";
import { optionsFor } from "../../helpers/http/setup.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";
import { sampleWorld } from "../../helpers/sampleWorld.js";
import { memoryStore } from "../../helpers/stores.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const handlerOf = (store: Store, setup: HttpSetup = {}) =>
  createFetchHandler(optionsFor(setup, store, { secret, revoked: tokens.revoked }));

/** Sends the same requests to both stores. */
async function besideSqlite(records: RecordSet) {
  const sqlite = memoryStore();
  await sqlite.put(records);
  const stores = [sqlite, await openMigrated(server.pool, records)];
  const [fromSqlite, fromPostgres] = stores.map((store) => sendTo(handlerOf(store)));
  if (fromSqlite === undefined || fromPostgres === undefined) throw new Error("there are two stores");
  return { fromSqlite, fromPostgres };
}

describe.each(Object.entries(httpCases))("%s", (_subject, cases) => {
  it.each(Object.entries(cases))("%s", async (_name, example) => {
    const send = sendTo(handlerOf(await openMigrated(server.pool, httpWorld), example));
    const { status, text } = await send(requestOf(example));
    expect({ status, text }).toStrictEqual({ status: example.status ?? 200, text: example.text });
  });
});

it("answers malformed requests byte for byte as from SQLite", async () => {
  const { fromSqlite, fromPostgres } = await besideSqlite(sampleWorld);
  const property = fc.asyncProperty(malformedRequest, async (request) => {
    const [expected, found] = [await fromSqlite(request), await fromPostgres(request)];
    expect([found.status, found.text]).toEqual([expected.status, expected.text]);
  });
  await fc.assert(property, { numRuns: rounds(1_000), timeout: 10_000 });
});

it("answers every list byte for byte as from SQLite, whatever characters and numbers are in it", async () => {
  const code = Array.from({ length: 0xa0 }, (_, index) => String.fromCharCode(index + 1));
  const texts = [...code, "\u2028\u2029\ufeff\ufffd", "\ud83d\ude00 \u738b\u82b3", "</script>", '\\u0000"\\', "  "];
  const users = texts.map((nickname, index) => ({
    userID: `u${index}`,
    nickname,
    faceURL: nickname,
    ex: nickname,
    appMangerLevel: 3,
  }));
  // Beyond 2^53, where every second integer is a number of JavaScript.
  const most = 9_999_999_999_999_998;
  const { fromSqlite, fromPostgres } = await besideSqlite({
    users,
    groups: texts.map((text, index) => ({
      groupID: `g${index}`,
      groupName: text,
      ex: text,
      createTime: most - 2 * index,
    })),
    groupMembers: users.flatMap(({ userID, nickname: ex }, index) => [
      {
        groupID: "g0",
        userID,
        ex,
        nickname: index % 2 ? ex : "",
        joinTime: most - 2 * index,
        roleLevel: index ? 20 : 100,
      },
      ...(index === 0 ? [] : [{ groupID: `g${index}`, userID: "u0", roleLevel: 60, joinTime: index }]),
    ]),
    blacks: users.map(({ userID, ex }, index) => ({
      ownerUserID: "u0",
      blackUserID: userID,
      ex,
      createTime: most - 2 * index,
    })),
    groupRequests: users.map(({ userID, ex }, index) => ({
      groupID: `g${index}`,
      userID,
      ex,
      reqMsg: ex,
      reqTime: most - 2 * index,
    })),
  });
  const pagination = '"pagination":{"pageNumber":1,"showNumber":1000}';
  for (const [path, body] of [
    [paths.members, `{"groupID":"g0",${pagination}}`],
    [paths.members, `{"groupID":"g0","keyword":"u1",${pagination}}`],
    [paths.blacks, `{"userID":"u0",${pagination}}`],
    [paths.joined, `{"fromUserID":"u0",${pagination}}`],
    [paths.requests, `{"fromUserID":"u0",${pagination}}`],
    [paths.accounts, `{${pagination}}`],
    [paths.accounts, `{"keyword":"U1",${pagination}}`],
  ] as const) {
    const request = requestOf({ request: { path, body } });
    const { text } = await fromSqlite(request);
    expect(JSON.parse(text).data.total).toBeGreaterThan(60);
    expect((await fromPostgres(request)).text).toBe(text);
  }
});
