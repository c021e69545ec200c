import * as v from "valibot";
import { code, text, time } from "./answerFields.js";
import { userInfoSchema } from "./userInfo.js";

export const blackSchema = v.object({
  /** Whose blacklist it is. */
  ownerUserID: text,
  /** In a store, milliseconds like all times. In the answer of `getBlackList`, seconds, rounded down. */
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
