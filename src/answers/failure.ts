import * as v from "valibot";
import { errorCodes } from "../errors.js";

export const failureSchema = v.strictObject({
  errCode: v.picklist(Object.values(errorCodes)),
  errMsg: v.picklist(Object.keys(errorCodes) as (keyof typeof errorCodes)[]),
  /** What exactly is wrong, and what would be right. */
  errDlt: v.string(),
});
