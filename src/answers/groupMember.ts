import * as v from "valibot";
import { code, text, time } from "./fields.js";

export const groupMemberSchema = v.object({
  /** The group. */
  groupID: text,
  /** The member. */
  userID: text,
  /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
  roleLevel: code,
  /** When the member joined, in milliseconds since the epoch. */
  joinTime: time,
  /** The nickname set in the group; where that is empty, the user's own. */
  nickname: text,
  /** The avatar set in the group; where that is empty, the user's own. */
  faceURL: text,
  /** The user's rank in the application: 0 ordinary user, 1 ordinary user, 2 administrator, 3 notification account, 4 robot. The contract spells it so. */
  appMangerLevel: code,
  /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
  joinSource: code,
  /** Who let the member in. */
  operatorUserID: text,
  /** A text that the service stores and does not read. */
  ex: text,
  /** When the member may speak again, in milliseconds since the epoch; 0 when not muted. */
  muteEndTime: time,
  /** Who invited the member; empty where nobody did. */
  inviterUserID: text,
});
