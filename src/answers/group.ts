import * as v from "valibot";
import { code, count, text, time } from "./answerFields.js";

export const groupSchema = v.object({
  /** Identifies the group. */
  groupID: text,
  /** What the group is called. */
  groupName: text,
  /** The announcement. */
  notification: text,
  /** What the group is about, in its own words. */
  introduction: text,
  /** The avatar; empty where there is none. */
  faceURL: text,
  /** The member with roleLevel 100; empty if there is none. */
  ownerUserID: text,
  /** When the group was made, in milliseconds since the epoch. */
  createTime: time,
  /** The number of members now. */
  memberCount: count,
  /** A text that the service stores and does not read. */
  ex: text,
  /** 0 normal, 1 banned, 2 dismissed, 3 muted. */
  status: code,
  /** Who made the group. */
  creatorUserID: text,
  /** 0 normal, 1 super group, 2 work group. */
  groupType: code,
  /** 0 needed unless invited, 1 needed unless invited by the owner or an administrator, 2 not needed. */
  needVerification: code,
  /** Whether members may look at each other's profiles: 0 allowed, 1 not allowed. */
  lookMemberInfo: code,
  /** Whether members may ask each other to become friends: 0 allowed, 1 not allowed. */
  applyMemberFriend: code,
  /** When the announcement was last changed, in milliseconds since the epoch; 0 means never. */
  notificationUpdateTime: time,
  /** The user who last changed the announcement. */
  notificationUserID: text,
});
