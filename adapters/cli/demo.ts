import type {
  BlackRecord,
  ConversationRecord,
  GroupMemberRecord,
  GroupRecord,
  GroupRequestRecord,
  RecordSet,
  UserRecord,
} from "../../src/records.js";

/** The administrator of the demo world. */
export const demoAdminUserID = "imAdmin";
/** The group of 5,000 members. */
export const demoGroupID = "2559217223";

const bigGroupMembers = 5_000;
const groupCount = 300;
/** The creation of the first group of the demo world, on 2023-06-26; in milliseconds. */
const beginning = 1_687_760_000_000;
const minute = 60_000;

const surnames = [..."王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"];
const givenNames = "伟 芳 娜 敏 静 强 磊 洋 艳 勇 军 杰 涛 明 秀英 桂英 建华 小红 文博 思远 子涵 雨桐 浩然 欣怡".split(
  " ",
);
const firstNames =
  "Ada Ben Chloe David Emma Felix Grace Henry Iris Jack Kate Liam Mia Noah Olivia Paul Quinn Rose Sam Tom".split(" ");
const lastNames = "Baker Clark Davies Evans Foster Green Harris Irving Jones King Lewis Moore".split(" ");
const topics = "读书会 Hiking 产品设计 Chess 摄影 Cooking 校友会 Running 开源 Jazz 育儿 Photography".split(" ");
const messages = ["", "你好，我想加入", "Hello, may I join?", "朋友推荐的", "I work with Rose"];

/** Makes a small, realistic world with one big group and 300 groups of the user {@link demoUserID}(0). It never varies. */
export function demoWorld(): RecordSet {
  return {
    users: [...range(bigGroupMembers).map(user), ...systemAccounts],
    groups: [bigGroup, ...range(groupCount).map(group)],
    groupMembers: [...range(bigGroupMembers).map(bigGroupMember), ...range(groupCount).flatMap(groupMembers)],
    groupRequests: range(groupCount).flatMap(groupRequests),
    blacks: range(40).flatMap(blacks),
    conversations: range(100).map(conversation),
  };
}

/** The identifier of an ordinary user. It has ten digits, like those of the reference server. */
export function demoUserID(index: number): string {
  return String(1_000_000_007 + index * 1_799_999);
}

function user(index: number): UserRecord {
  return { userID: demoUserID(index), nickname: nickname(index), faceURL: face("user", index, 3) };
}

const systemAccounts: UserRecord[] = [
  { userID: demoAdminUserID, nickname: "Administrator", appMangerLevel: 2 },
  { userID: "sysBilling", nickname: "Billing 账单", faceURL: face("system", 1, 1), appMangerLevel: 3 },
  { userID: "sysNews", nickname: "系统通知", faceURL: face("system", 2, 1), appMangerLevel: 3 },
  { userID: "sysSecurity", nickname: "Security alerts", appMangerLevel: 3 },
  { userID: "botWelcome", nickname: "Welcome 机器人", faceURL: face("system", 4, 1), appMangerLevel: 4 },
];

const bigGroup: GroupRecord = {
  groupID: demoGroupID,
  groupName: "全员群 Everybody",
  notification: "欢迎！Please set your nickname in this group.",
  introduction: "Announcements for all of us",
  faceURL: face("group", 0, 1),
  createTime: beginning,
  creatorUserID: demoUserID(1),
  groupType: 2,
  notificationUpdateTime: beginning + minute,
  notificationUserID: demoUserID(1),
};

/** User 1 owns the big group, and the next 20 administer it. */
function bigGroupMember(index: number): GroupMemberRecord {
  return {
    groupID: demoGroupID,
    userID: demoUserID(index),
    roleLevel: index === 1 ? 100 : index > 1 && index <= 21 ? 60 : 20,
    joinTime: beginning + index * minute,
    nickname: index % 7 === 0 ? `${nickname(index)} (${pick(topics, index)})` : "",
    joinSource: index === 1 ? 0 : 2 + (index % 2),
    operatorUserID: demoUserID(1),
    inviterUserID: demoUserID(1),
    muteEndTime: index % 500 === 499 ? beginning + 1_000 * 24 * 60 * minute : 0,
  };
}

function group(index: number): GroupRecord {
  const created = beginning + index * 60 * minute;
  return {
    groupID: demoSmallGroupID(index),
    groupName: `${pick(topics, index)} ${index + 1}`,
    notification: index % 3 === 0 ? "本周六下午三点 / Saturday, 3 pm" : "",
    introduction: index % 2 === 0 ? `About ${pick(topics, index)}` : "",
    faceURL: face("group", index + 1, 4),
    createTime: created,
    status: index % 100 === 99 ? 2 : 0,
    creatorUserID: demoUserID(0),
    groupType: 2,
    needVerification: index % 3,
    ...(index % 3 === 0 && { notificationUpdateTime: created + minute, notificationUserID: demoUserID(0) }),
  };
}

function demoSmallGroupID(index: number): string {
  return String(3_100_000_019 + index * 1_234_577);
}

/** User 0 owns one group in three, administers another, and is an ordinary member of the third. */
function groupMembers(index: number): GroupMemberRecord[] {
  const roles = [100, 60, 20];
  return range(3 + (index % 8)).map((position) => ({
    groupID: demoSmallGroupID(index),
    userID: demoUserID(position === 0 ? 0 : 1 + ((index * 17 + position * 131) % (bigGroupMembers - 1))),
    roleLevel: position === 0 ? pick(roles, index) : position === 1 && index % 3 !== 0 ? 100 : 20,
    joinTime: beginning + index * 60 * minute + position * minute,
    joinSource: 3,
    inviterUserID: position === 0 ? "" : demoUserID(0),
  }));
}

/** Requests that are pending, accepted and refused in turn. */
function groupRequests(index: number): GroupRequestRecord[] {
  return range(index % 5).map((position) => {
    const reqTime = beginning + (index * 90 + position * 7) * minute;
    const handleResult = pick([0, 1, -1], index + position);
    return {
      groupID: demoSmallGroupID(index),
      userID: demoUserID(1 + ((index * 29 + position * 311 + 2_500) % (bigGroupMembers - 1))),
      handleResult,
      reqMsg: pick(messages, index + position),
      reqTime,
      joinSource: 3,
      ...(handleResult !== 0 && {
        handleMsg: handleResult === 1 ? "欢迎" : "Sorry, we are full",
        handleUserID: demoUserID(0),
        handleTime: reqTime + 30 * minute,
      }),
    };
  });
}

function blacks(index: number): BlackRecord[] {
  return range(1 + (index % 12)).map((position) => ({
    ownerUserID: demoUserID(index),
    blackUserID: demoUserID(3_000 + index * 13 + position),
    createTime: beginning + (index * 50 + position) * minute,
    operatorUserID: demoUserID(index),
  }));
}

function conversation(index: number): ConversationRecord {
  const peer = demoUserID(index + 1);
  return {
    ownerUserID: demoUserID(0),
    conversationID: `si_${demoUserID(0)}_${peer}`,
    conversationType: 1,
    userID: peer,
    isPinned: index < 3,
    recvMsgOpt: index % 10 === 9 ? 2 : 0,
  };
}

function nickname(index: number): string {
  if (index % 3 === 0) return `${pick(firstNames, index)} ${pick(lastNames, index >> 2)}`;
  return pick(surnames, index) + pick(givenNames, index >> 3);
}

/** A picture for one in `every`, and none for the others. */
function face(kind: string, index: number, every: number): string {
  return index % every === 0 ? `https://cdn.example.org/${kind}/${index}.jpg` : "";
}

function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
