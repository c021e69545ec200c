import { expect, it } from "vitest";
import { importFiles } from "../../helpers/cliProcess.js";
import { answers, records } from "../../helpers/imported.js";
import { memoryStore } from "../../helpers/stores.js";

// The collections of the reference server's database, as mongoexport writes them: a document a line.
const relaxed = {
  "user.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d1"},"user_id":"u1","nickname":"Ann","face_url":"u1.jpg",
    "ex":"user ex","app_manger_level":3,"global_recv_msg_opt":9,"create_time":{"$date":"2023-06-26T04:28:59.612Z"}}
{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d2"},"user_id":"u2","nickname":"李雷","face_url":"u2.jpg",
    "ex":"{}","app_manger_level":1,"global_recv_msg_opt":9,"create_time":{"$date":"2023-06-26T04:28:59.612Z"}}`,
  "group.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d3"},"group_id":"g1","group_name":"读书会",
    "notification":"Saturday","introduction":"We read","face_url":"g1.jpg",
    "create_time":{"$date":"2023-06-26T04:28:59.612Z"},"ex":"group ex","status":1,"creator_user_id":"creator",
    "group_type":2,"need_verification":4,"look_member_info":5,"apply_member_friend":6,
    "notification_update_time":{"$date":"2023-06-26T04:29:00.001Z"},"notification_user_id":"notifier"}`,
  "group_member.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d4"},"group_id":"g1","user_id":"u1","nickname":"Annie",
    "face_url":"member.jpg","role_level":100,"join_time":{"$date":"2023-06-26T06:49:58.048Z"},"join_source":2,
    "inviter_user_id":"inviter","operator_user_id":"operator",
    "mute_end_time":{"$date":"2023-06-30T06:35:33.734Z"},"ex":"member ex"}`,
  "group_request.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d5"},"user_id":"u2","group_id":"g1",
    "handle_result":-1,"req_msg":"May I?","handled_msg":"No","req_time":{"$date":"2023-07-03T09:33:45.952Z"},
    "handle_user_id":"handler","handled_time":{"$date":"2023-07-03T09:33:45.953Z"},"join_source":3,
    "inviter_user_id":"friend","ex":"request ex"}`,
  "black.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d6"},"owner_user_id":"u1","block_user_id":"u2",
    "create_time":{"$date":"2023-07-04T08:50:26.000Z"},"add_source":7,"operator_user_id":"adder","ex":"black ex"}`,
  "conversation.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d7"},"owner_user_id":"u1","conversation_id":"sg_g1",
    "conversation_type":3,"user_id":"peer","group_id":"g1","recv_msg_opt":2,"is_pinned":true,"is_private_chat":true,
    "burn_duration":30,"group_at_type":1,"attached_info":"attached","ex":"conversation ex","max_seq":11,"min_seq":12,
    "create_time":{"$date":"2023-06-26T04:28:59.612Z"},"is_msg_destruct":true,"msg_destruct_time":13,
    "latest_msg_destruct_time":{"$date":"2023-06-26T04:28:59.612Z"}}`,
};

const canonical = {
  "user.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d1"},"user_id":"u1","nickname":"Ann","face_url":"u1.jpg",
    "ex":"user ex","app_manger_level":{"$numberInt":"3"},"global_recv_msg_opt":{"$numberInt":"9"},
    "create_time":{"$date":{"$numberLong":"1687753739612"}}}
{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d2"},"user_id":"u2","nickname":"李雷","face_url":"u2.jpg",
    "ex":"{}","app_manger_level":{"$numberInt":"1"},"global_recv_msg_opt":{"$numberInt":"9"},
    "create_time":{"$date":{"$numberLong":"1687753739612"}}}`,
  "group.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d3"},"group_id":"g1","group_name":"读书会",
    "notification":"Saturday","introduction":"We read","face_url":"g1.jpg",
    "create_time":{"$date":{"$numberLong":"1687753739612"}},"ex":"group ex","status":{"$numberInt":"1"},
    "creator_user_id":"creator","group_type":{"$numberInt":"2"},"need_verification":{"$numberInt":"4"},
    "look_member_info":{"$numberInt":"5"},"apply_member_friend":{"$numberInt":"6"},
    "notification_update_time":{"$date":{"$numberLong":"1687753740001"}},"notification_user_id":"notifier"}`,
  "group_member.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d4"},"group_id":"g1","user_id":"u1","nickname":"Annie",
    "face_url":"member.jpg","role_level":{"$numberInt":"100"},"join_time":{"$date":{"$numberLong":"1687762198048"}},
    "join_source":{"$numberInt":"2"},"inviter_user_id":"inviter","operator_user_id":"operator",
    "mute_end_time":{"$date":{"$numberLong":"1688106933734"}},"ex":"member ex"}`,
  "group_request.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d5"},"user_id":"u2","group_id":"g1",
    "handle_result":{"$numberInt":"-1"},"req_msg":"May I?","handled_msg":"No",
    "req_time":{"$date":{"$numberLong":"1688376825952"}},"handle_user_id":"handler",
    "handled_time":{"$date":{"$numberLong":"1688376825953"}},"join_source":{"$numberInt":"3"},
    "inviter_user_id":"friend","ex":"request ex"}`,
  "black.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d6"},"owner_user_id":"u1","block_user_id":"u2",
    "create_time":{"$date":{"$numberLong":"1688460626000"}},"add_source":{"$numberLong":"7"},
    "operator_user_id":"adder","ex":"black ex"}`,
  "conversation.json": `{"_id":{"$oid":"64b0f1c2a9d3e4f5a6b7c8d7"},"owner_user_id":"u1","conversation_id":"sg_g1",
    "conversation_type":{"$numberInt":"3"},"user_id":"peer","group_id":"g1","recv_msg_opt":{"$numberInt":"2"},
    "is_pinned":true,"is_private_chat":true,"burn_duration":{"$numberInt":"30"},"group_at_type":{"$numberInt":"1"},
    "attached_info":"attached","ex":"conversation ex","max_seq":{"$numberLong":"11"},"min_seq":{"$numberLong":"12"},
    "create_time":{"$date":{"$numberLong":"1687753739612"}},"is_msg_destruct":true,
    "msg_destruct_time":{"$numberLong":"13"}}`,
};

/** The folded lines above as the single lines that they stand for. */
function unfolded(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace(/\n {4}/g, "")]));
}

it.each([
  ["relaxed", relaxed],
  ["canonical", canonical],
])("puts every field of the reference's collections where it belongs, from %s Extended JSON", async (_, files) => {
  const { status, stderr, store } = await importFiles(unfolded(files));
  expect([status, stderr.split("\n").slice(0, 2)]).toEqual([
    0,
    ["user.json: 2 users imported", "group.json: 1 groups imported"],
  ]);
  const expected = memoryStore();
  await expected.put(records);
  expect(await answers(store)).toEqual(await answers(expected));
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
    "user.json:3: appMangerLevel must be an integer >= -2147483648",
    expect.stringMatching(/^user\.json:4: userID must be a non-empty string/),
    "user.json: nothing was imported: 3 invalid",
    "im-admin: 1 of 1 files were not imported",
    "",
  ]);
});

it("takes the handler's words from where the reference server writes them", async () => {
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
