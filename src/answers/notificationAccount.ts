import * as v from "valibot";
import { text } from "./answerFields.js";

export const notificationAccountSchema = v.object({
  /** Identifies the account. */
  userID: text,
  /** The avatar; empty where there is none. */
  faceURL: text,
  /** What the account is called. The contract spells it with a capital N. */
  nickName: text,
});
