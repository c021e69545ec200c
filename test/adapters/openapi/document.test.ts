import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { demoWorld } from "../../../adapters/cli/demo.js";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { type OpenApiOptions, openApiDocument } from "../../../adapters/openapi/index.js";
import { errorCodes } from "../../../src/index.js";
import { anybody, storeOf, textFrom } from "../../helpers/http/hosts.js";
import { requestOf } from "../../helpers/http/request.js";
import { sendTo } from "../../helpers/http/send.js";
import { validatorsOf } from "../../helpers/openapi/validators.js";
import { memoryStore } from "../../helpers/stores.js";

const paths = [
  "/group/get_group_member_list",
  "/friend/get_black_list",
  "/group/get_joined_group_list",
  "/group/get_recv_group_applicationList",
  "/user/search_notification_account",
  "/conversation/set_conversations",
];

const everyOption: OpenApiOptions = {
  basePath: "admin/v1/",
  limits: {
    showNumber: 50,
    userIDs: 7,
    idLength: 30,
    keywordLength: 9,
    textLength: 8,
    bodyBytes: 2000,
    writeBytes: 3000,
  },
  title: "A chat",
  servers: [{ url: "https://chat.example.org", description: "The real one" }, { url: "http://localhost:10002" }],
  adminToken: true,
  closed: true,
};

it.each([
  ["no options", undefined],
  ["every option", everyOption],
  ["a base path that could be a template", { basePath: "/{id}/管理" }],
])("is valid OpenAPI 3.1 with %s", async (_what, options) => {
  const document = JSON.parse(JSON.stringify(openApiDocument(options)));
  expect(document.openapi).toBe("3.1.0");
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

type Schema = Readonly<Record<string, unknown>>;

/** A schema in a few words: `string` is left out, `?` marks an optional field, and `null` what may be null. */
function shapeOf(schema: Schema): string {
  const { $ref, items, properties, required = [], format, enum: values, pattern } = schema;
  if (typeof $ref === "string") return $ref.replace("#/components/schemas/", "");
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, Schema>).map(([name, field]) =>
      `${name}${(required as string[]).includes(name) ? "" : "?"} ${shapeOf(field)}`.trim(),
    );
    // In lines of about a hundred characters.
    return fields.join(", ").replace(/(.{90,110},) /g, "$1\n    ");
  }
  const [type, orNull] = [schema["type"]].flat() as string[];
  const kinds: Record<string, unknown> = {
    array: items && `list of ${shapeOf(items as Schema)}`,
    integer: format,
    string: String(pattern).includes("u001f") ? "ID" : "",
  };
  const bound = (end: "min" | "max") =>
    [`${end}imum`, `${end}Length`, `${end}Items`].map((name) => schema[name]).find((value) => value !== undefined) ??
    "";
  const range = `${bound("min")}..${bound("max")}`.replace(/^\.\.$/, "");
  return [kinds[type ?? ""] ?? type, range, (values as number[] | undefined)?.join(" or "), orNull]
    .filter(Boolean)
    .join(" ");
}

it("has these fields of these types, which a change of the interface changes", () => {
  const schemas = openApiDocument({ adminToken: true }).components["schemas"] as Record<string, Schema>;
  const shapes = Object.entries(schemas).map(([name, schema]) => `${name}: ${shapeOf(schema)}`);
  expect(shapes.join("\n")).toMatchInlineSnapshot(`
    "Pagination: pageNumber int32 1..2147483647, showNumber int32 1..1000
    GetGroupMemberListInput: groupID ID 1..64, keyword? ..255 null, filter? int32 0..5 null, pagination Pagination
    GetBlackListInput: userID ID 1..64, pagination Pagination
    GetJoinedGroupListInput: fromUserID ID 1..64, pagination Pagination
    GetReceivedGroupApplicationListInput: fromUserID ID 1..64, groupIDs? list of ID 1..64 ..10000 null, handleResults? list of int32 -1..1 ..100 null,
        pagination Pagination
    SearchNotificationAccountInput: keyword? ..255 null, appManagerLevel? int32 3..4 null, pagination Pagination
    ConversationInput: conversationID ID 1..64, conversationType int32 1 or 3, userID? ID 0..64 null, groupID? ID 0..64 null,
        recvMsgOpt? int32 0..2 null, attachedInfo? ..65536 null, isPinned? boolean null, isPrivateChat? boolean null,
        ex? ..65536 null, burnDuration? int32 0..2147483647 null, minSeq? int64 0..9007199254740991 null,
        maxSeq? int64 0..9007199254740991 null, groupAtType? int32 -2147483648..2147483647 null, msgDestructTime? int64 0..9007199254740991 null,
        isMsgDestruct? boolean null
    SetConversationsInput: userIDs list of ID 1..64 1..10000, conversation ConversationInput
    GetAdminTokenInput: secret, userID ID 1..64
    UserInfo: userID, nickname, faceURL, ex
    GroupMember: groupID, userID, roleLevel int32, joinTime int64, nickname, faceURL, appMangerLevel int32, joinSource int32,
        operatorUserID, ex, muteEndTime int64, inviterUserID
    Group: groupID, groupName, notification, introduction, faceURL, ownerUserID, createTime int64, memberCount int32, ex,
        status int32, creatorUserID, groupType int32, needVerification int32, lookMemberInfo int32,
        applyMemberFriend int32, notificationUpdateTime int64, notificationUserID
    GroupRequest: userInfo UserInfo, groupInfo Group, handleResult int32, reqMsg, handleMsg, reqTime int64, handleUserID,
        handleTime int64, ex, joinSource int32, inviterUserID
    Black: ownerUserID, createTime int64, blackUserInfo UserInfo, addSource int32, operatorUserID, ex
    NotificationAccount: userID, faceURL, nickName
    GroupMemberList: total int32, members list of GroupMember
    BlackList: blacks list of Black, total int32
    JoinedGroupList: total int32, groups list of Group
    ReceivedGroupApplicationList: total int32, groupRequests list of GroupRequest
    NotificationAccountList: total int32, notificationAccounts list of NotificationAccount
    AdminToken: token, expireTimeSeconds int64
    Failure: errCode int32, errMsg, errDlt
    GetGroupMemberListAnswer: errCode int32, errMsg, errDlt, data? GroupMemberList
    GetBlackListAnswer: errCode int32, errMsg, errDlt, data? BlackList
    GetJoinedGroupListAnswer: errCode int32, errMsg, errDlt, data? JoinedGroupList
    GetReceivedGroupApplicationListAnswer: errCode int32, errMsg, errDlt, data? ReceivedGroupApplicationList
    SearchNotificationAccountAnswer: errCode int32, errMsg, errDlt, data? NotificationAccountList
    SetConversationsAnswer: errCode int32, errMsg, errDlt
    GetAdminTokenAnswer: errCode int32, errMsg, errDlt, data? AdminToken"
  `);
});

interface Described {
  post: {
    operationId: string;
    requestBody: { content: Record<string, { schema: Schema; examples: { example: { value: object } } }> };
    responses: {
      200: {
        content: Record<string, { schema: Schema; examples: Record<string, { value?: unknown; $ref?: string }> }>;
      };
    };
  };
}

it("has these operations", () => {
  const operations = Object.entries<Described>(JSON.parse(JSON.stringify(openApiDocument({ adminToken: true }).paths)));
  const described = operations.map(([path, { post }]) => {
    const { schema: input } = post.requestBody.content["application/json"] ?? {};
    const { schema: answer, examples = {} } = post.responses[200].content["application/json"] ?? {};
    const failures = Object.keys(examples).filter(
      (name) => !/success|^Token|ArgsError|NoPermission|Internal/.test(name),
    );
    return `${path}: ${post.operationId} ${shapeOf(input ?? {})} ${shapeOf(answer ?? {})} ${failures.join()}`.trim();
  });
  expect(described.join("\n")).toMatchInlineSnapshot(`
    "/group/get_group_member_list: getGroupMemberList GetGroupMemberListInput GetGroupMemberListAnswer RecordNotFoundError
    /friend/get_black_list: getBlackList GetBlackListInput GetBlackListAnswer RecordNotFoundError
    /group/get_joined_group_list: getJoinedGroupList GetJoinedGroupListInput GetJoinedGroupListAnswer RecordNotFoundError
    /group/get_recv_group_applicationList: getReceivedGroupApplicationList GetReceivedGroupApplicationListInput GetReceivedGroupApplicationListAnswer RecordNotFoundError
    /user/search_notification_account: searchNotificationAccount SearchNotificationAccountInput SearchNotificationAccountAnswer
    /conversation/set_conversations: setConversations SetConversationsInput SetConversationsAnswer RecordNotFoundError,DismissedAlreadyError
    /auth/get_admin_token: getAdminToken GetAdminTokenInput GetAdminTokenAnswer"
  `);
});

it("describes the six operations, and get_admin_token where that is on", () => {
  expect(Object.keys(openApiDocument().paths)).toEqual(paths);
  expect(Object.keys(openApiDocument({ adminToken: true }).paths)).toEqual([...paths, "/auth/get_admin_token"]);
  expect(JSON.stringify(openApiDocument())).not.toContain("AdminToken");
});

it("has the address of the server, a contact, and a description of each tag", () => {
  const { servers, info, tags } = openApiDocument();
  expect(servers).toEqual([{ url: "/", description: "Where this document comes from." }]);
  expect(info).toMatchObject({
    contact: { name: "im-admin", url: "https://www.npmjs.com/package/im-admin" },
    license: { name: "MIT", identifier: "MIT" },
  });
  expect(tags.map(({ name }) => name)).toEqual(["group", "friend", "user", "conversation"]);
  expect(openApiDocument({ adminToken: true }).tags.at(-1)).toEqual({
    name: "auth",
    description: "Tokens of administrators.",
  });
});

it("describes every property", () => {
  type Schemas = Record<string, { properties?: Record<string, { description?: string }> }>;
  const schemas = openApiDocument({ adminToken: true }).components["schemas"] as Schemas;
  const properties = Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {}).map(([field, { description }]) => [`${name}.${field}`, description]),
  );
  expect(properties.length).toBeGreaterThan(120);
  expect(properties.filter(([, description]) => !/^[A-Z0-9-].*\.$/s.test(description ?? ""))).toEqual([]);
});

/** All schemas of a part of a document, those within others too. */
function schemasIn(part: unknown): Record<string, unknown>[] {
  if (typeof part !== "object" || part === null) return [];
  const schema = part as Record<string, unknown>;
  return [...("type" in schema || "enum" in schema ? [schema] : []), ...Object.values(schema).flatMap(schemasIn)];
}

it("has shapes that generators of all languages take", () => {
  const schemas = schemasIn(openApiDocument({ adminToken: true }).components["schemas"]);
  expect(schemas.length).toBeGreaterThan(100);
  for (const { type, enum: values = [], format } of schemas) {
    expect(type).not.toBe("null");
    expect(values).not.toContain(null);
    if ([type].flat().includes("integer")) expect(format).toMatch(/^int(32|64)$/);
  }
});

it("says that answers may have more fields and codes", () => {
  const schemas = openApiDocument({ adminToken: true }).components["schemas"] as Record<string, object>;
  const answers = Object.entries(schemas).filter(([name]) => !/Input$|^Pagination$/.test(name));
  expect(answers).toHaveLength(20);
  for (const [, schema] of answers) {
    expect(schema).toMatchObject({ type: "object", additionalProperties: true });
    for (const within of schemasIn(schema)) expect(Object.keys(within)).not.toContain("enum");
  }
  const { faultsOfAnswer } = validatorsOf(openApiDocument());
  const later = { errCode: 1101, errMsg: "LaterError", errDlt: "", more: true };
  expect(faultsOfAnswer("/friend/get_black_list", 200, later)).toEqual([]);
  // The answer of an OpenIM server that is upstream.
  const set = { errCode: 0, errMsg: "success", errDlt: "" };
  expect(faultsOfAnswer("/conversation/set_conversations", 200, set)).toEqual([]);
});

it("says that answers have nothing else, if it is closed", () => {
  const { faultsOfAnswer } = validatorsOf(openApiDocument({ closed: true }));
  const path = "/conversation/set_conversations";
  const success = { errCode: 0, errMsg: "", errDlt: "", data: null };
  expect(faultsOfAnswer(path, 200, success)).toEqual([]);
  expect(faultsOfAnswer(path, 200, { ...success, more: true })).not.toEqual([]);
  expect(faultsOfAnswer(path, 200, { errCode: 0, errMsg: "", errDlt: "" })).not.toEqual([]);
  const failure = { errCode: 1001, errMsg: "ArgsError", errDlt: "" };
  expect(faultsOfAnswer(path, 200, failure)).toEqual([]);
  expect(faultsOfAnswer(path, 200, { ...failure, errCode: 1101 })).not.toEqual([]);
});

it("speaks of the interface, and not of programs that embed im-admin", () => {
  const text = JSON.stringify(openApiDocument({ adminToken: true }));
  expect(text.match(/.{20}\b(observer|adapters?|store|function|onConversationsSet|embed\w*)\b.{20}/g)).toBeNull();
});

it("has no address that could belong to somebody", () => {
  const addresses = JSON.stringify(openApiDocument({ adminToken: true })).match(/\w+:\/\/[^/"`)\s]+/g) ?? [];
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) {
    expect(address).toMatch(/^https?:\/\/(192\.0\.2\.\d+(:\d+)?|([\w-]+\.)?example\.org|www\.npmjs\.com)$/);
  }
});

it("has the options in it", () => {
  const document = openApiDocument(everyOption);
  expect(document.info.title).toBe("A chat");
  expect(document.servers).toEqual(everyOption.servers);
  expect(Object.keys(document.paths)[0]).toBe("/admin/v1/group/get_group_member_list");
  const { faultsOfInput } = validatorsOf(document);
  const conversation = { conversationID: "c", conversationType: 3, groupID: "g" };
  const set = (more: object) => faultsOfInput("/admin/v1/conversation/set_conversations", more);
  expect(set({ userIDs: Array.from({ length: 7 }, () => "u"), conversation })).toEqual([]);
  expect(set({ userIDs: Array.from({ length: 8 }, () => "u"), conversation })).not.toEqual([]);
  expect(set({ userIDs: ["u".repeat(30)], conversation: { ...conversation, ex: "x".repeat(8) } })).toEqual([]);
  expect(set({ userIDs: ["u".repeat(31)], conversation })).not.toEqual([]);
  expect(set({ userIDs: ["u"], conversation: { ...conversation, ex: "x".repeat(9) } })).not.toEqual([]);
  const search = (more: object) => faultsOfInput("/admin/v1/user/search_notification_account", more);
  expect(search({ keyword: "😀".repeat(9), pagination: { pageNumber: 1, showNumber: 50 } })).toEqual([]);
  expect(search({ keyword: "😀".repeat(10), pagination: { pageNumber: 1, showNumber: 50 } })).not.toEqual([]);
  expect(search({ pagination: { pageNumber: 1, showNumber: 51 } })).not.toEqual([]);
  expect(document.info.description).toContain("| writeBytes | 3000 | Bytes of `ex` and `attachedInfo`");
  expect(JSON.stringify(document.components["responses"])).toContain("body must have at most 2000 bytes");
});

it.each([
  [
    null,
    "openApiDocument must be given an object of basePath, limits, title, servers, adminToken, names, closed, upstream",
  ],
  [
    { baseUrl: "/admin" },
    'openApiDocument does not know "baseUrl"; it takes basePath, limits, title, servers, adminToken, names, closed, upstream',
  ],
  [{ basePath: 7 }, "basePath must be a string"],
  [{ basePath: "/a?b" }, 'basePath must be a path such as "/admin", and not "/a?b"'],
  [{ limits: null }, /^limits must be given an object of showNumber, /],
  [{ limits: { showNumber: 0 } }, "limits.showNumber must be an integer from 1 to 2147483647"],
  [{ title: 7 }, "title must be a string"],
  [{ servers: "https://a.example" }, "servers must be a list of objects with a url"],
  [{ servers: ["https://a.example"] }, "servers must be a list of objects with a url"],
])("refuses the options %j", (options, message) => {
  expect(() => openApiDocument(options as never)).toThrow(TypeError);
  expect(() => openApiDocument(options as never)).toThrow(message);
});

describe("the examples", () => {
  const document = openApiDocument({ adminToken: true });
  const described = Object.entries<Described>(JSON.parse(JSON.stringify(document.paths)));

  it.each(described)("of %s fit what the document says", (path, { post }) => {
    const { faultsOfInput, faultsOfAnswer, faultsOfFailure } = validatorsOf(document);
    const { value } = post.requestBody.content["application/json"]?.examples.example ?? {};
    expect(faultsOfInput(path, value)).toEqual([]);
    const { success, ...failures } = post.responses[200].content["application/json"]?.examples ?? {};
    expect(faultsOfAnswer(path, 200, success?.value)).toEqual([]);
    const examples = document.components["examples"] as Record<string, { value: object }>;
    for (const [name, { $ref }] of Object.entries(failures)) {
      expect($ref).toBe(`#/components/examples/${name}`);
      expect(faultsOfFailure(examples[name]?.value)).toEqual([]);
    }
  });

  it("hold each error code", () => {
    const examples = document.components["examples"] as Record<string, { value: { errCode: number } }>;
    const codes = Object.entries(examples).map(([name, { value }]) => [name, value.errCode]);
    expect(Object.fromEntries(codes)).toEqual(errorCodes);
  });

  it("are what the demo answers", async () => {
    const handler = createFetchHandler({ store: await storeOf(demoWorld()), authenticate: anybody });
    for (const [path, { post }] of described.slice(0, 6)) {
      const { value } = post.requestBody.content["application/json"]?.examples.example ?? {};
      const text = await textFrom(handler, { path, body: JSON.stringify(value) });
      expect(JSON.parse(text)).toEqual(post.responses[200].content["application/json"]?.examples["success"]?.value);
    }
  });
});

it.each([
  [undefined, 4096],
  [{ bodyBytes: 2000 }, 2000],
])("says how long a body for a token may be, with the limits %j", async (limits, most) => {
  const adminToken = { secret: "a secret of this test", adminUserIDs: ["imAdmin"] };
  const handler = createFetchHandler({ store: memoryStore(), authenticate: anybody, adminToken, limits });
  const body = JSON.stringify({ secret: "x".repeat(most), userID: "imAdmin" });
  const request = requestOf({ request: { path: "/auth/get_admin_token", body } });
  const { status, text } = await sendTo(handler)(request);
  expect(status).toBe(413);

  const document = JSON.parse(JSON.stringify(openApiDocument({ limits, adminToken: true })));
  const described = document.paths["/auth/get_admin_token"].post.responses["4XX"];
  const { content } = described.$ref === undefined ? described : document.components.responses.Refused;
  expect(JSON.parse(text)).toEqual(content["application/json"].examples.tooLong.value);
});
