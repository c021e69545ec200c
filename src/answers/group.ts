import * as v from "valibot";
import { code, count, text, time } from "./fields.js";

export const groupSchema = v.object({
  groupID: text,
  groupName: text,
  /** The announcement. */
  notification: text,
  introduction: text,
  faceURL: text,
  /** The member with roleLevel 100; empty where there is none. */
  ownerUserID: text,
  /** Milliseconds since the epoch. */
  createTime: time,
  /** Members now. */
  memberCount: count,
  ex: text,
  /** 0 normal, 1 banned, 2 dismissed, 3 muted. */
  status: code,
  creatorUserID: text,
  groupType: code,
  needVerification: code,
  lookMemberInfo: code,
  applyMemberFriend: code,
  /** When the announcement was last changed, in milliseconds since the epoch; 0 means never. */
  notificationUpdateTime: time,
  /** Who last changed the announcement. */
  notificationUserID: text,
});
