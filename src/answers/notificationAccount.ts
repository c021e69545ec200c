import * as v from "valibot";
import { count, text } from "./fields.js";

export const notificationAccountSchema = v.object({
  userID: text,
  faceURL: text,
  /** The contract spells it with a capital N. */
  nickName: text,
});

export const notificationAccountListSchema = v.object({
  /** Accounts that match, on all pages. */
  total: count,
  notificationAccounts: v.array(notificationAccountSchema),
});
