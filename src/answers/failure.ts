import * as v from "valibot";
import { errorCodes } from "../errors.js";

export const failureSchema = v.strictObject({
  /** What kind of failure it is; never 0. */
  errCode: v.picklist(Object.values(errorCodes)),
  /** The name of the kind. */
  errMsg: v.picklist(Object.keys(errorCodes) as (keyof typeof errorCodes)[]),
  /** What is wrong, and what would be right. */
  errDlt: v.string(),
});
