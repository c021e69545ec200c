import { expect, it } from "vitest";
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

it("names the line of a document that is no Extended JSON, or whose fields do not fit", async () => {
  const { status, stderr, folder } = await importFiles({
    "user.json": [
      `{"user_id":"u1"}`,
      `{"user_id":"u2","_id":{"$oid":"short"}}`,
      `{"user_id":"u3","app_manger_level":{"$numberDecimal":"1.5"}}`,
      `{"nickname":"nobody"}`,
    ].join("\n"),
  });
  expect(status).toBe(1);
  expect(stderr.split("\n").map((line) => line.replace(`${folder}/`, ""))).toEqual([
    expect.stringMatching(/^user\.json:2: is no Extended JSON: /),
    "user.json:3: appMangerLevel must be an integer from -2147483648 to 2147483647",
    expect.stringMatching(/^user\.json:4: userID must be a non-empty string/),
    "user.json: nothing was imported: 3 invalid",
    "im-admin: 1 of 1 files were not imported",
    "",
  ]);
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
