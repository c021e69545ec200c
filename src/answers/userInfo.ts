import * as v from "valibot";
import { text } from "./answerFields.js";

export const userInfoSchema = v.object({
  /** Identifies the user. */
  userID: text,
  /** What the user is called. */
  nickname: text,
  /** The avatar; empty where there is none. */
  faceURL: text,
  /** A text that the service stores and does not read. */
  ex: text,
});
