import * as v from "valibot";
import { code, count, text, time } from "./fields.js";
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

export const blackListSchema = v.object({
  /** Entries, with `createTime` in seconds, as the reference server answers it. */
  blacks: v.array(blackSchema),
  /** Entries on all pages. */
  total: count,
});
