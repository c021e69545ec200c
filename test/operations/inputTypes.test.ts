import { describe, expect, expectTypeOf, it } from "vitest";
import {
  defaultLimits,
  type GetBlackListInput,
  type GetGroupMemberListInput,
  type GetJoinedGroupListInput,
  type GetReceivedGroupApplicationListInput,
  getReceivedGroupApplicationList,
  type Limits,
  type RecordSet,
  type SearchNotificationAccountInput,
  type SetConversationsInput,
  type SomeLimits,
  setConversations,
} from "../../src/index.js";
import { resolveLimits } from "../../src/limits.js";
import { memoryStore } from "../helpers/stores.js";

type Page = { pageNumber: number; showNumber: number };
type Conversation = SetConversationsInput["conversation"];

it("names the codes of a request, and takes null and undefined for an optional field", () => {
  expectTypeOf<GetGroupMemberListInput>().toEqualTypeOf<{
    groupID: string;
    keyword?: string | null | undefined;
    filter?: 0 | 1 | 2 | 3 | 4 | 5 | null | undefined;
    pagination: Page;
  }>();
  expectTypeOf<GetBlackListInput>().toEqualTypeOf<{ userID: string; pagination: Page }>();
  expectTypeOf<GetJoinedGroupListInput>().toEqualTypeOf<{ fromUserID: string; pagination: Page }>();
  expectTypeOf<GetReceivedGroupApplicationListInput>().toEqualTypeOf<{
    fromUserID: string;
    groupIDs?: readonly string[] | null | undefined;
    handleResults?: readonly (0 | 1 | -1)[] | null | undefined;
    pagination: Page;
  }>();
  expectTypeOf<SearchNotificationAccountInput>().toEqualTypeOf<{
    keyword?: string | null | undefined;
    appManagerLevel?: 3 | 4 | null | undefined;
    pagination: Page;
  }>();
  expectTypeOf<SetConversationsInput["userIDs"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Omit<Conversation, "conversationType" | "userID" | "groupID">>().toEqualTypeOf<{
    conversationID: string;
    recvMsgOpt?: 0 | 1 | 2 | null | undefined;
    attachedInfo?: string | null | undefined;
    isPinned?: boolean | null | undefined;
    isPrivateChat?: boolean | null | undefined;
    ex?: string | null | undefined;
    burnDuration?: number | null | undefined;
    minSeq?: number | null | undefined;
    maxSeq?: number | null | undefined;
    groupAtType?: number | null | undefined;
    msgDestructTime?: number | null | undefined;
    isMsgDestruct?: boolean | null | undefined;
  }>();
});

it("takes readonly arrays", async () => {
  const restrictions = { groupIDs: ["g"], handleResults: [0, -1] } as const;
  const input = { fromUserID: "u", ...restrictions, pagination: { pageNumber: 1, showNumber: 1 } };
  expect(await getReceivedGroupApplicationList(memoryStore(), input)).toMatchObject({ errCode: 1004 });
});

describe("the conversation to set", () => {
  const single = { conversationID: "c", conversationType: 1 } as const;
  const group = { conversationID: "c", conversationType: 3 } as const;

  it.each<Conversation>([
    { ...single, userID: "u2" },
    { ...single, userID: "u2", groupID: "" },
    { ...single, userID: "u2", groupID: null },
    { ...single, userID: "u2", groupID: undefined },
    { ...group, groupID: "g1" },
    { ...group, groupID: "g1", userID: "" },
    { ...group, groupID: "g1", userID: null },
    { ...group, groupID: "g1", userID: undefined },
  ])("may be %j", async (conversation) => {
    const store = memoryStore();
    await store.put({ users: [{ userID: "u1" }, { userID: "u2" }], groups: [{ groupID: "g1" }] });
    expect(await setConversations(store, { userIDs: ["u1"], conversation })).toMatchObject({ errCode: 0 });
  });

  const refused: Conversation[] = [
    // @ts-expect-error A single chat needs its peer.
    { ...single },
    // @ts-expect-error It may be null only where it does not apply.
    { ...single, userID: null },
    // @ts-expect-error A single chat has no group.
    { ...single, userID: "u2", groupID: "g1" },
    // @ts-expect-error A group chat needs its group.
    { ...group },
    // @ts-expect-error It may be null only where it does not apply.
    { ...group, groupID: null },
    // @ts-expect-error A group chat has no peer.
    { ...group, groupID: "g1", userID: "u2" },
    // @ts-expect-error There is no such type.
    { ...group, conversationType: 2, groupID: "g1" },
    // @ts-expect-error There is no such option.
    { ...group, groupID: "g1", recvMsgOpt: 3 },
  ];

  it.each(refused)("cannot be %j, which the compiler says as well", async (conversation) => {
    const store = memoryStore();
    await store.put({ users: [{ userID: "u1" }, { userID: "u2" }], groups: [{ groupID: "g1" }] });
    expect(await setConversations(store, { userIDs: ["u1"], conversation })).toMatchObject({ errCode: 1001 });
  });
});

it("takes undefined for a limit, and for a kind of records or a field of a record", async () => {
  const limits: SomeLimits = { showNumber: undefined, userIDs: 5 };
  expectTypeOf<Partial<Limits>>().toExtend<SomeLimits>();
  expect(resolveLimits(limits)).toEqual({ ...defaultLimits, userIDs: 5 });
  const store = memoryStore();
  const records: RecordSet = { users: [{ userID: "u", nickname: undefined, appMangerLevel: 3 }], groups: undefined };
  await store.put(records);
  await store.remove({ users: undefined, groupMembers: undefined });
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toEqual({
    total: 1,
    items: [{ userID: "u", faceURL: "", nickName: "" }],
  });
});
