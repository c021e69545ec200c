import * as v from "valibot";
import { code, text, time } from "./fields.js";

export const groupMemberSchema = v.object({
  groupID: text,
  userID: text,
  /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
  roleLevel: code,
  /** Milliseconds since the epoch. */
  joinTime: time,
  /** The nickname set in the group; where that is empty, the user's own. */
  nickname: text,
  /** The avatar set in the group; where that is empty, the user's own. */
  faceURL: text,
  /** The user's rank in the application; the contract spells it so. */
  appMangerLevel: code,
  /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
  joinSource: code,
  /** Who let the member in. */
  operatorUserID: text,
  ex: text,
  /** When the member may speak again, in milliseconds since the epoch; 0 when not muted. */
  muteEndTime: time,
  inviterUserID: text,
});
