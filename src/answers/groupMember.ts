import * as v from "valibot";
import { code, text, time } from "./answerFields.js";

export const groupMemberSchema = v.object({
  /** The group. */
  groupID: text,
  /** The member. */
  userID: text,
  /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
  roleLevel: code,
  /** When the member joined, in milliseconds since the epoch. */
  joinTime: time,
  /** The member's nickname in the group, or the user's own if that is empty. */
  nickname: text,
  /** The member's avatar in the group, or the user's own if that is empty. */
  faceURL: text,
  /**
   * The user's rank in the chat service: 0 ordinary user, 1 ordinary user, 2 administrator, 3 notification account, 4 robot. The
   * contract spells the name so.
   */
  appMangerLevel: code,
  /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
  joinSource: code,
  /** The user who let the member in. */
  operatorUserID: text,
  /** A text that the service stores and does not read. */
  ex: text,
  /** When the member may speak again, in milliseconds since the epoch; 0 when not muted. */
  muteEndTime: time,
  /** Who invited the member; empty where nobody did. */
  inviterUserID: text,
});
