import * as v from "valibot";
import { code, text, time } from "./fields.js";
import { groupSchema } from "./group.js";
import { userInfoSchema } from "./userInfo.js";

export const groupRequestSchema = v.object({
  /** Who asks. */
  userInfo: userInfoSchema,
  groupInfo: groupSchema,
  /** 0 pending, 1 accepted, -1 refused. */
  handleResult: code,
  /** What the applicant wrote. */
  reqMsg: text,
  /** What the handler wrote. */
  handleMsg: text,
  /** Milliseconds since the epoch. */
  reqTime: time,
  /** Who handled the request; empty where it is pending. */
  handleUserID: text,
  /** Milliseconds since the epoch; 0 where the request is pending. */
  handleTime: time,
  ex: text,
  /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
  joinSource: code,
  inviterUserID: text,
});
