/** The tables as drizzle knows them; the indexes are those of plain.ts. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const texts = () => text().notNull();
const numbers = () => integer().notNull();

export const users = sqliteTable("users", {
  userID: text().primaryKey(),
  nickname: texts(),
  faceURL: texts(),
  ex: texts(),
  appMangerLevel: numbers(),
});

export const groups = sqliteTable("groups", {
  groupID: text().primaryKey(),
  groupName: texts(),
  notification: texts(),
  introduction: texts(),
  faceURL: texts(),
  createTime: numbers(),
  ex: texts(),
  status: numbers(),
  creatorUserID: texts(),
  groupType: numbers(),
  needVerification: numbers(),
  lookMemberInfo: numbers(),
  applyMemberFriend: numbers(),
  notificationUpdateTime: numbers(),
  notificationUserID: texts(),
});

export const groupMembers = sqliteTable("groupMembers", {
  id: integer().primaryKey(),
  groupID: texts(),
  userID: texts(),
  roleLevel: numbers(),
  joinTime: numbers(),
  nickname: texts(),
  faceURL: texts(),
  joinSource: numbers(),
  operatorUserID: texts(),
  ex: texts(),
  muteEndTime: numbers(),
  inviterUserID: texts(),
});

export const blacks = sqliteTable("blacks", {
  ownerUserID: texts(),
  blackUserID: texts(),
  createTime: numbers(),
  addSource: numbers(),
  operatorUserID: texts(),
  ex: texts(),
});

export const groupRequests = sqliteTable("groupRequests", {
  groupID: texts(),
  userID: texts(),
  handleResult: numbers(),
  reqMsg: texts(),
  handleMsg: texts(),
  reqTime: numbers(),
  handleUserID: texts(),
  handleTime: numbers(),
  ex: texts(),
  joinSource: numbers(),
  inviterUserID: texts(),
});
