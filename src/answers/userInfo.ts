import * as v from "valibot";
import { text } from "./fields.js";

export const userInfoSchema = v.object({
  userID: text,
  nickname: text,
  faceURL: text,
  ex: text,
});
