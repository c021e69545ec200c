import * as v from "valibot";
import { code, text, time } from "./answerFields.js";
import { groupSchema } from "./group.js";
import { userInfoSchema } from "./userInfo.js";

export const groupRequestSchema = v.object({
  /** The applicant. */
  userInfo: userInfoSchema,
  /** Which group the applicant wants to join. */
  groupInfo: groupSchema,
  /** 0 pending, 1 accepted, -1 refused. */
  handleResult: code,
  /** What the applicant wrote. */
  reqMsg: text,
  /** What the handler wrote. */
  handleMsg: text,
  /** When the applicant asked, in milliseconds since the epoch. */
  reqTime: time,
  /** The user who handled the request; empty if it is pending. */
  handleUserID: text,
  /** When the request was handled, in milliseconds since the epoch; 0 if it is pending. */
  handleTime: time,
  /** A text that the service stores and does not read. */
  ex: text,
  /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
  joinSource: code,
  /** Who invited the applicant; empty where nobody did. */
  inviterUserID: text,
});
