import type { RecordSet } from "../../../src/index.js";

/** The records that the requests are about. */
export const httpWorld: RecordSet = {
  users: [
    { userID: "u1", nickname: "Ann" },
    { userID: "u2", nickname: "Bob" },
    { userID: "n1", nickname: "News", faceURL: "news.png", appMangerLevel: 3 },
  ],
  groups: [{ groupID: "g1", groupName: "Team" }, { groupID: "empty" }, { groupID: "gone", status: 2 }],
  groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 100, joinTime: 5 }],
  groupRequests: [{ groupID: "g1", userID: "u2", reqMsg: "Hi", reqTime: 7 }],
  blacks: [{ ownerUserID: "u1", blackUserID: "u2", createTime: 1999, operatorUserID: "u1" }],
};

/** What signs the tokens of administrators. */
export const secret = "openIM123";
export const adminUserID = "imAdmin";

/** The page that may call handlers of tests. */
export const origin = "https://console.example.org";
