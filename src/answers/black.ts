import * as v from "valibot";
import { code, text, time } from "./fields.js";
import { userInfoSchema } from "./userInfo.js";

export const blackSchema = v.object({
  /** Whose blacklist it is. */
  ownerUserID: text,
  /** Milliseconds in a store, as all times; seconds (rounded down) in the answer of `getBlackList`. */
  createTime: time,
  /** Who is blocked. */
  blackUserInfo: userInfoSchema,
  /** How the entry was made; a code of the service's own. */
  addSource: code,
  /** Who made the entry. */
  operatorUserID: text,
  /** A text that the service stores and does not read. */
  ex: text,
});
