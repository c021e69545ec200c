/** What drizzle selects, and in which order. */
import { type Column, desc, sql } from "drizzle-orm";
import { blacks, groupMembers, groupRequests, groups, users } from "./drizzleTables.js";

export const order = {
  members: [desc(groupMembers.roleLevel), groupMembers.joinTime, groupMembers.userID],
  joinedGroups: [desc(groupMembers.joinTime), groupMembers.groupID],
  blacks: [desc(blacks.createTime), blacks.blackUserID],
  requests: [desc(groupRequests.reqTime), groupRequests.groupID, groupRequests.userID],
} as const;

/** A member's own value; where that is empty, the profile's. */
const ownOrProfile = (own: Column, profile: Column) => sql<string>`iif(${own} = '', coalesce(${profile}, ''), ${own})`;

export const memberNickname = ownOrProfile(groupMembers.nickname, users.nickname);

export const memberFields = {
  groupID: groupMembers.groupID,
  userID: groupMembers.userID,
  roleLevel: groupMembers.roleLevel,
  joinTime: groupMembers.joinTime,
  nickname: memberNickname,
  faceURL: ownOrProfile(groupMembers.faceURL, users.faceURL),
  appMangerLevel: sql<number>`coalesce(${users.appMangerLevel}, 0)`,
  joinSource: groupMembers.joinSource,
  operatorUserID: groupMembers.operatorUserID,
  ex: groupMembers.ex,
  muteEndTime: groupMembers.muteEndTime,
  inviterUserID: groupMembers.inviterUserID,
};

export const blackFields = {
  ownerUserID: blacks.ownerUserID,
  createTime: blacks.createTime,
  blackUserInfo: userInfoFields(blacks.blackUserID),
  addSource: blacks.addSource,
  operatorUserID: blacks.operatorUserID,
  ex: blacks.ex,
};

/** As expressions, because drizzle would make null of an object of columns whose row is not there. */
function userInfoFields(userID: Column) {
  const field = (column: Column) => sql<string>`coalesce(${column}, '')`;
  return {
    userID: sql<string>`${userID}`,
    nickname: field(users.nickname),
    faceURL: field(users.faceURL),
    ex: field(users.ex),
  };
}

/** The same for numbers and texts; all groups of the benchmark are there. */
const groupField = <Value>(column: Column) => sql<Value>`${column}`;

export const groupFields = {
  groupID: groupField<string>(groups.groupID),
  groupName: groupField<string>(groups.groupName),
  notification: groupField<string>(groups.notification),
  introduction: groupField<string>(groups.introduction),
  faceURL: groupField<string>(groups.faceURL),
  ownerUserID: sql<string>`coalesce((SELECT owner.userID FROM groupMembers owner
    WHERE owner.groupID = ${groups.groupID} AND owner.roleLevel = 100 ORDER BY owner.joinTime, owner.userID LIMIT 1), '')`,
  memberCount: sql<number>`(SELECT count(*) FROM groupMembers counted WHERE counted.groupID = ${groups.groupID})`,
  createTime: groupField<number>(groups.createTime),
  ex: groupField<string>(groups.ex),
  status: groupField<number>(groups.status),
  creatorUserID: groupField<string>(groups.creatorUserID),
  groupType: groupField<number>(groups.groupType),
  needVerification: groupField<number>(groups.needVerification),
  lookMemberInfo: groupField<number>(groups.lookMemberInfo),
  applyMemberFriend: groupField<number>(groups.applyMemberFriend),
  notificationUpdateTime: groupField<number>(groups.notificationUpdateTime),
  notificationUserID: groupField<string>(groups.notificationUserID),
};

export const requestFields = {
  userInfo: userInfoFields(groupRequests.userID),
  groupInfo: groupFields,
  handleResult: groupRequests.handleResult,
  reqMsg: groupRequests.reqMsg,
  handleMsg: groupRequests.handleMsg,
  reqTime: groupRequests.reqTime,
  handleUserID: groupRequests.handleUserID,
  handleTime: groupRequests.handleTime,
  ex: groupRequests.ex,
  joinSource: groupRequests.joinSource,
  inviterUserID: groupRequests.inviterUserID,
};

export const accountFields = { userID: users.userID, faceURL: users.faceURL, nickName: users.nickname };
