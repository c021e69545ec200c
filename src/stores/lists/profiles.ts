import type { Group, UserInfo } from "../../model.js";
import { profile, row, type Source, type Sources } from "./list.js";

/** The nested profile of the user whom a column names. */
export function userInfo(column: string): Sources<UserInfo> {
  return { userID: row(column), nickname: profile("nickname"), faceURL: profile("faceURL"), ex: profile("ex") };
}

const text = (column: string): Source => ({ from: "group", column, empty: "" });
const integer = (column: string): Source => ({ from: "group", column, empty: 0 });

/** The group that the column `groupID` names. */
export const group: Sources<Group> = {
  groupID: row("groupID"),
  groupName: text("groupName"),
  notification: text("notification"),
  introduction: text("introduction"),
  faceURL: text("faceURL"),
  ownerUserID: { from: "groupOwner" },
  createTime: integer("createTime"),
  memberCount: { from: "memberCount" },
  ex: text("ex"),
  status: integer("status"),
  creatorUserID: text("creatorUserID"),
  groupType: integer("groupType"),
  needVerification: integer("needVerification"),
  lookMemberInfo: integer("lookMemberInfo"),
  applyMemberFriend: integer("applyMemberFriend"),
  notificationUpdateTime: integer("notificationUpdateTime"),
  notificationUserID: text("notificationUserID"),
};
