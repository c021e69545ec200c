import type { Group, UserInfo } from "../../model.js";
import type { Sources } from "./list.js";

/** The nested profile of the user whom a column names. */
export function userInfo(column: string): Sources<UserInfo> {
  return { userID: { column }, nickname: "profile", faceURL: "profile", ex: "profile" };
}

/** The group that the column `groupID` names. */
export const group: Sources<Group> = {
  groupID: "row",
  groupName: "group",
  notification: "group",
  introduction: "group",
  faceURL: "group",
  ownerUserID: "groupOwner",
  createTime: "group",
  memberCount: "memberCount",
  ex: "group",
  status: "group",
  creatorUserID: "group",
  groupType: "group",
  needVerification: "group",
  lookMemberInfo: "group",
  applyMemberFriend: "group",
  notificationUpdateTime: "group",
  notificationUserID: "group",
};
