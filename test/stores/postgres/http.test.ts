import fc from "fast-check";
import { expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import type { RecordSet } from "../../../src/index.js";
import { rounds } from "../../helpers/chance.js";
import { malformedRequest } from "../../helpers/http/malformedRequests.js";
import { paths, requestOf } from "../../helpers/http/request.js";
import { sendTo } from "../../helpers/http/send.js";
import { optionsFor } from "../../helpers/http/setup.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { sampleWorld } from "../../helpers/sampleWorld.js";
import { memoryStore } from "../../helpers/stores.js";

const server = postgresForFile();

/** Sends the same requests to both stores. */
async function besideSqlite(records: RecordSet) {
  const sqlite = memoryStore();
  await sqlite.put(records);
  const fromSqlite = sendTo(createFetchHandler(optionsFor(sqlite)));
  const fromPostgres = sendTo(createFetchHandler(optionsFor(await openMigrated(server.pool, records))));
  return { fromSqlite, fromPostgres };
}

it("answers malformed requests byte for byte as from SQLite", async () => {
  const { fromSqlite, fromPostgres } = await besideSqlite(sampleWorld);
  const property = fc.asyncProperty(malformedRequest, async (request) => {
    const [expected, found] = [await fromSqlite(request), await fromPostgres(request)];
    expect([found.status, found.text]).toEqual([expected.status, expected.text]);
  });
  await fc.assert(property, { numRuns: rounds(1_000), timeout: 10_000 });
});

it("answers every list byte for byte as SQLite does, with any characters and numbers", async () => {
  const code = Array.from({ length: 0xa0 }, (_, index) => String.fromCharCode(index + 1));
  const texts = [...code, "\u2028\u2029\ufeff\ufffd", "\ud83d\ude00 \u738b\u82b3", "</script>", '\\u0000"\\', "  "];
  // Beyond 2^53, where every second integer is a number of JavaScript.
  const items = texts.map((ex, index) => ({ ex, id: index, time: 9_999_999_999_999_998 - 2 * index }));
  const { fromSqlite, fromPostgres } = await besideSqlite({
    users: items.map(({ id, ex }) => ({ userID: `u${id}`, nickname: ex, faceURL: ex, ex, appMangerLevel: 3 })),
    groups: items.map(({ id, ex, time }) => ({ groupID: `g${id}`, groupName: ex, ex, createTime: time })),
    groupMembers: items.flatMap(({ id, ex, time }) => [
      { groupID: "g0", userID: `u${id}`, ex, nickname: id % 2 ? ex : "", joinTime: time, roleLevel: id ? 20 : 100 },
      ...(id === 0 ? [] : [{ groupID: `g${id}`, userID: "u0", roleLevel: 60, joinTime: id }]),
    ]),
    blacks: items.map(({ id, ex, time }) => ({ ownerUserID: "u0", blackUserID: `u${id}`, ex, createTime: time })),
    groupRequests: items.map(({ id, ex, time }) => ({
      groupID: `g${id}`,
      userID: `u${id}`,
      ex,
      reqMsg: ex,
      reqTime: time,
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
