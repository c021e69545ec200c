import * as v from "valibot";
import { code, text, time } from "./fields.js";
import { userInfoSchema } from "./userInfo.js";

export const blackSchema = v.object({
  ownerUserID: text,
  /** Milliseconds in a store, as all times; seconds (rounded down) in the answer of `getBlackList`. */
  createTime: time,
  blackUserInfo: userInfoSchema,
  addSource: code,
  operatorUserID: text,
  ex: text,
});
