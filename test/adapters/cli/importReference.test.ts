import { expect, it } from "vitest";
import { readDocument } from "../../../adapters/cli/import/reference.js";
import { importFiles } from "../../helpers/cliProcess.js";
import { answers, expectedAnswers, referenceFolder, textsIn } from "../../helpers/imported.js";

/** Extended JSON in canonical notation, in which numbers and dates name their types. */
function canonical(relaxed: string): string {
  return relaxed
    .replace(/"\$date":"([^"]*)"/g, (_, date) => `"$date":{"$numberLong":"${Date.parse(date)}"}`)
    .replace(/"(\w+)":(-?\d+)(?=[,}])/g, (_, field, number) => {
      return `"${field}":{"${/seq|source/.test(field) ? "$numberLong" : "$numberInt"}":"${number}"}`;
    });
}

it.each([
  ["relaxed", (text: string) => text],
  ["canonical", canonical],
])("imports every field of the reference's collections from %s Extended JSON", async (_, notation) => {
  const files = Object.entries(textsIn(referenceFolder)).map(([name, text]) => [`${name}.json`, notation(text)]);
  const { status, stderr, store } = await importFiles(Object.fromEntries(files));
  expect([status, stderr.split("\n").slice(0, 2)]).toEqual([
    0,
    ["user.json: 2 users imported", "group.json: 1 groups imported"],
  ]);
  expect(await answers(store)).toEqual(await expectedAnswers());
});

it.each([
  ["a date of Go's zero time", `{"$date":"0001-01-01T00:00:00Z"}`],
  ["Go's zero time in milliseconds", `{"$date":{"$numberLong":"-62135596800000"}}`],
  ["null", "null"],
])("takes %s for never", async (_, never) => {
  const { status, store } = await importFiles({
    "user.json": `{"user_id":"u1"}`,
    "group.json": `{"group_id":"g1","create_time":${never},"notification_update_time":${never}}`,
    "group_member.json": `{"group_id":"g1","user_id":"u1","join_time":${never},"mute_end_time":${never}}`,
  });
  expect(status).toBe(0);
  expect(await answers(store)).toMatchObject({
    members: { data: { members: [{ joinTime: 0, muteEndTime: 0 }] } },
    groups: { data: { groups: [{ createTime: 0, notificationUpdateTime: 0 }] } },
  });
});

it("names the line and the field of what is no Extended JSON", async () => {
  const { status, stderr, folder } = await importFiles({
    "group.json": `{"group_id":"g1"}\n{"group_id":"g2","create_time":{"$date":{"$numberLong":{}}}}\n`,
  });
  expect([status, stderr]).toEqual([
    1,
    [
      `${folder}/group.json:2: create_time is no valid Extended JSON`,
      "group.json: nothing was imported: 1 invalid",
      "im-admin: 1 of 1 files were not imported",
      "",
    ].join("\n"),
  ]);
});

it.each([
  ...[null, true, {}, [], "", " 5", "0x10", "1.5", "five", 1.5].map((content) => ({ $numberLong: content })),
  ...[{}, "1e3", "Infinity"].map((content) => ({ $numberInt: content })),
  ...["1,5", [1]].map((content) => ({ $numberDouble: content })),
  ...[null, "one"].map((content) => ({ $numberDecimal: content })),
  { $numberLong: "5", more: 1 },
  ...[null, true, {}, [], "", "yesterday", "2023-13-45"].map((content) => ({ $date: content })),
  ...["soon", {}, null].map((content) => ({ $date: { $numberLong: content } })),
  ...["short", 5].map((content) => ({ $oid: content })),
  ...[5, {}, { base64: 5, subType: "00" }].map((content) => ({ $binary: content })),
  { $binary: "x", $type: 5 },
  ...[5, {}].map((content) => ({ $regularExpression: content })),
  ...[5, {}].map((content) => ({ $dbPointer: content })),
  ...[5, { t: "a", i: "b" }].map((content) => ({ $timestamp: content })),
  ...[5, "x"].map((content) => ({ $uuid: content })),
  { $regex: 5, $options: 3 },
  { inner: { $numberLong: {} } },
])("is no Extended JSON: %j", (create_time) => {
  expect(readDocument({ group_id: "g1", create_time })).toBe("create_time is no valid Extended JSON");
});

it("reads times and numbers in every notation", async () => {
  const time = 1_730_389_750_718;
  const times: [unknown, number][] = [
    [{ $date: { $numberLong: String(time) } }, time],
    [{ $date: { $numberLong: time } }, time],
    [{ $date: time }, time],
    [{ $date: "2024-10-31T15:49:10.718Z" }, time],
    [{ $date: "2024-10-31T15:49:10.718+0000" }, time],
    [{ $numberLong: 5 }, 5],
    [{ $numberInt: 5 }, 5],
    [{ $numberDouble: "5.0" }, 5],
    [{ $numberDecimal: "5E+3" }, 5000],
    [{ $undefined: true }, 0],
    [null, 0],
  ];
  const groups = times.map(([create_time], index) => ({ group_id: `g${100 + index}`, create_time }));
  const { stderr, store } = await importFiles({ "group.json": JSON.stringify(groups) });
  expect(stderr).toBe("group.json: 11 groups imported\n");
  const groupMembers = groups.map(({ group_id }) => ({ groupID: group_id, userID: "u" }));
  await store.put({ users: [{ userID: "u" }], groupMembers });
  const page = await store.listJoinedGroups({ userID: "u", offset: 0, limit: 20 });
  expect(page?.items.map(({ createTime }) => createTime)).toEqual(times.map(([, read]) => read));
});

it("reads the handler's message from the field that the reference server writes", async () => {
  const { store } = await importFiles({
    "user.json": `{"user_id":"boss"}`,
    "group_member.json": `{"group_id":"g1","user_id":"boss","role_level":100}`,
    "group_request.json": [
      `{"group_id":"g1","user_id":"u1","handle_result":1,"handled_msg":"","handle_msg":"welcome","req_time":{"$date":"2023-07-03T09:33:45Z"}}`,
      `{"group_id":"g1","user_id":"u2","handle_result":1,"handled_msg":"of old"}`,
    ].join("\n"),
  });
  const page = await store.listReceivedGroupRequests({ userID: "boss", offset: 0, limit: 10 });
  expect(page?.items.map(({ handleMsg }) => handleMsg)).toEqual(["welcome", "of old"]);
});
