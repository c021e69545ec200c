import type { RecordSet } from "../../../src/index.js";

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const names = [
  "Ann",
  "ann%",
  "B_b",
  "会話 名",
  "名",
  "😀🙂",
  'say "hi"',
  "back\\slash",
  "line\nbreak",
  "\ufffd\uffff",
  "",
];
const nameOf = (index: number) => `${names[index % names.length]}${index % 7 === 0 ? index : ""}`;
const roleOf = (index: number) => [20, 60, 20, 20, 100, 7][index % 6] ?? 20;

/**
 * A world whose pages have up to 25 MB: members with texts of 65,536 characters, a group large enough for documents, and a
 * group whose long notice stands in each of its join requests.
 */
export const longWorld: RecordSet = {
  users: [
    ...ids("u", 2_600).map((userID, index) => ({ userID, nickname: nameOf(index), ex: index % 5 === 0 ? "é" : "" })),
    ...ids("n", 40).map((userID, index) => ({ userID, nickname: nameOf(index), appMangerLevel: 3 + (index % 2) })),
  ],
  groups: [
    { groupID: "small", groupName: "Small", createTime: 1e16 - 2 },
    { groupID: "wide", groupName: "广" },
    { groupID: "long", notification: "群".repeat(700) },
    { groupID: "empty" },
    { groupID: "gone", status: 2 },
  ],
  groupMembers: [
    ...ids("u", 30).map((userID, index) => ({
      groupID: "small",
      userID,
      roleLevel: roleOf(index),
      nickname: index % 2 === 0 ? "" : nameOf(index + 1),
      joinTime: index % 4,
    })),
    ...ids("u", 2_600).map((userID, index) => ({ groupID: "wide", userID, roleLevel: roleOf(index), joinTime: index })),
    ...ids("u", 150).map((userID, index) => ({
      groupID: "long",
      userID,
      roleLevel: index === 1 ? 100 : 20,
      ex: ["e", "é", "群", "😀"][index % 4]?.repeat(65_536 - index) ?? "",
    })),
  ],
  blacks: ids("u", 90).map((blackUserID, index) => ({
    ownerUserID: "u1",
    blackUserID,
    createTime: 1_999 * (index % 9),
  })),
  groupRequests: [
    ...ids("u", 1_000).map((userID, index) => ({
      groupID: "long",
      userID,
      reqTime: index % 50,
      handleResult: (index % 3) - 1,
    })),
    ...ids("n", 20).map((userID, index) => ({ groupID: "small", userID, reqTime: index, reqMsg: nameOf(index) })),
  ],
};
