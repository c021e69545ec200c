import * as v from "valibot";
import type { Success } from "../envelope.js";

/** The schema of a successful answer with this data. */
export function successSchema<Data>(data: v.GenericSchema<Data>): v.GenericSchema<Success<Data>> {
  return v.strictObject({ errCode: v.literal(0), errMsg: v.literal(""), errDlt: v.literal(""), data });
}
