import * as v from "valibot";
import { text } from "./fields.js";

export const notificationAccountSchema = v.object({
  userID: text,
  faceURL: text,
  /** The contract spells it with a capital N. */
  nickName: text,
});
