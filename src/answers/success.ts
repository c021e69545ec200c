import * as v from "valibot";
import type { Success } from "../envelope.js";

/** The answer to a call that succeeded, with data of this kind. */
export function successSchema<Data>(data: v.GenericSchema<Data>): v.GenericSchema<Success<Data>> {
  return v.strictObject({ errCode: v.literal(0), errMsg: v.literal(""), errDlt: v.literal(""), data });
}
