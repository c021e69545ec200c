import type { RecordSet } from "../../src/records.js";

/** The records behind the requests and answers that the reference server's documentation prints. */
export const sampleWorld: RecordSet = {
  users: [
    { userID: "3034068043", nickname: "OK", faceURL: "http://192.0.2.233:10002/third/object?name=1330588901.jpg" },
    { userID: "3645617224", nickname: "卫青" },
    { userID: "3791793226", nickname: "喔" },
    { userID: "4771680259", nickname: "Lumia" },
    { userID: "7117248489", nickname: "你好" },
    { userID: "11111111", nickname: "owner" },
    { userID: "11111113", nickname: "yourNickname", faceURL: "yourFaceURL" },
    { userID: "9906953281", nickname: "joiner" },
    { userID: "8423809271", nickname: "manager" },
    { userID: "4356065820", nickname: "Tom", faceURL: "http://192.0.2.233:10002/third/object?name=8350826192.jpg" },
    { userID: "1974356875", nickname: "notification1111111", faceURL: "url", appMangerLevel: 3 },
    { userID: "8719627904", nickname: "notification1", appMangerLevel: 3 },
    { userID: "4208409642", nickname: "notification1", appMangerLevel: 3 },
    { userID: "2776836221", nickname: "notification1", appMangerLevel: 4 },
    { userID: "6965946400" },
    { userID: "4365007572" },
    { userID: "openIMAdmin", appMangerLevel: 2 },
  ],
  groups: [
    { groupID: "2559217223", groupName: "Five" },
    { groupID: "2137448827", groupName: "11111", createTime: 1687753739612, creatorUserID: "2699373280", groupType: 2 },
    {
      groupID: "2759960147",
      groupName: "Group2",
      createTime: 1688106933734,
      creatorUserID: "4771680259",
      groupType: 2,
    },
    {
      groupID: "3686066424",
      groupName: "Group3",
      createTime: 1687933342067,
      creatorUserID: "9906953281",
      groupType: 2,
    },
    {
      groupID: "1085123084",
      groupName: "Rose baby、Jack Dawson、Jacky",
      notification: "群公告测试",
      createTime: 1688353410770,
      creatorUserID: "8423809271",
      groupType: 2,
    },
  ],
  groupMembers: [
    member("2559217223", "3034068043", 20, 1687762198048),
    {
      ...member("2559217223", "3645617224", 60, 1687762198048),
      nickname: "霍去病",
      faceURL: "http://192.0.2.233:10002/third/object?name=7846002615.jpg",
    },
    member("2559217223", "3791793226", 20, 1687760824107),
    member("2559217223", "4771680259", 100, 1687760824107),
    member("2559217223", "7117248489", 20, 1687762198048),
    member("2137448827", "3517105008", 100, 1),
    member("2137448827", "9906953281", 20, 1000),
    member("2137448827", "u3", 20, 3),
    member("2759960147", "4771680259", 100, 1),
    member("2759960147", "9906953281", 20, 3000),
    member("3686066424", "9906953281", 100, 2000),
    member("1085123084", "8423809271", 100, 1),
    member("1085123084", "u2", 20, 2),
    member("1085123084", "u3", 20, 3),
  ],
  groupRequests: [
    {
      groupID: "1085123084",
      userID: "4356065820",
      handleResult: 1,
      handleMsg: "reason",
      reqTime: 1688376825952,
      joinSource: 3,
    },
  ],
  blacks: [
    { ownerUserID: "11111111", blackUserID: "11111113", createTime: 1688460626999, operatorUserID: "openIMAdmin" },
  ],
};

function member(groupID: string, userID: string, roleLevel: number, joinTime: number) {
  const inviter = "4771680259";
  return { groupID, userID, roleLevel, joinTime, joinSource: 2, operatorUserID: inviter, inviterUserID: inviter };
}
