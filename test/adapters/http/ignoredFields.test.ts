import { expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { getGroupMemberList, setConversations } from "../../../src/index.js";
import { anybody, recorder, storeOf } from "../../helpers/http/hosts.js";
import { paths } from "../../helpers/http/request.js";

const pagination = { pageNumber: 1, showNumber: 10 };

/** The answer to a body. */
async function answerTo(body: unknown, path: string = paths.members, cors = false) {
  const handler = createFetchHandler({ store: await storeOf(), authenticate: anybody, cors });
  const headers = { operationID: "op", origin: "https://console.example" };
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return handler(new Request(`http://localhost${path}`, { method: "POST", headers, body: sent }));
}

const x48 = "x".repeat(48);
const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0]));

it.each<[string, unknown, string | null]>([
  ["nothing", { groupID: "g1", keyword: null, filter: 0, pagination }, null],
  ["a field", { groupID: "g1", keywrod: "a", pagination }, "keywrod"],
  ["the case of a name", { GroupID: "g1", pagination }, "GroupID"],
  ["fields in an object", { groupID: "g1", pagination: { ...pagination, size: 1 }, a: { b: 1 } }, "pagination.size, a"],
  ["one of a field that is no object", { groupID: { id: 1 }, pagination: [1, 2] }, null],
  ["no entries of an array", [{ a: 1 }], null],
  ["names of all objects", '{"__proto__":1,"constructor":2,"toString":3}', "__proto__, constructor, toString"],
  ["a separator", { "a, b": 1 }, "a%2C%20b"],
  ["another header", { "a\r\nset-cookie: b=c": 1 }, "a%0D%0Aset-cookie%3A%20b%3Dc"],
  ["other letters", { 名: 1, "😀": 1 }, "%E5%90%8D, %F0%9F%98%80"],
  ["half of a character", '{"\\ud83d":1}', "%EF%BF%BD"],
  ["an empty name", { "": 1 }, ""],
  ["a long name", { ["x".repeat(10_000)]: 1 }, x48],
  ["many fields", numbered(500), "f0, f1, f2, f3, f4, f5, f6, f7"],
  ["many fields in an object", { pagination: numbered(500), a: 1 }, numbered8("pagination.")],
])("a header names %s", async (_what, body, header) => {
  const answer = await answerTo(body);
  expect(answer.headers.get("im-admin-ignored")).toBe(header);
  expect(answer.headers.get("set-cookie")).toBeNull();
});

function numbered8(path: string): string {
  return Array.from({ length: 8 }, (_, index) => `${path}f${index}`).join(", ");
}

it("names fields of a conversation", async () => {
  const conversation = { conversationID: "c", conversationType: 3, groupID: "g1", isPined: true };
  const answer = await answerTo({ userIDs: ["u1"], conversation }, paths.conversations);
  expect(answer.headers.get("im-admin-ignored")).toBe("conversation.isPined");
});

it("lets pages of other origins read the header", async () => {
  const exposed = "access-control-expose-headers";
  const answer = await answerTo({ groupID: "g1", keywrod: "a", pagination }, paths.members, true);
  expect(answer.headers.get(exposed)).toBe("im-admin-ignored");
  expect((await answerTo({ groupID: "g1", pagination }, paths.members, true)).headers.has(exposed)).toBe(false);
});

it("a function tells its observer", async () => {
  const store = await storeOf();
  const { calls, observer } = recorder();
  const input = { groupID: "g1", keywrod: "a", pagination: { ...pagination, pageNum: 1 } };
  expect(await getGroupMemberList(store, input, { observer })).toMatchObject({ errCode: 0 });
  const conversation = { conversationID: "c", conversationType: 3, groupID: "g1", isPined: true } as const;
  await setConversations(store, { userIDs: ["u1"], conversation }, { observer });
  await setConversations(store, null as never, { observer });
  expect(calls.map(({ ignored }) => ignored)).toEqual([
    ["keywrod", "pagination.pageNum"],
    ["conversation.isPined"],
    undefined,
  ]);
  expect(calls.map((report) => "ignored" in report)).toEqual([true, true, false]);
});
