import type * as v from "valibot";
import type { failureSchema } from "./answers/failure.js";
import type { OperationError } from "./errors.js";

/** The answer to a call that succeeded. */
export interface Success<Data> {
  /** 0 means success. */
  errCode: 0;
  /** Empty on success. */
  errMsg: "";
  /** Empty on success. */
  errDlt: "";
  /** What was asked for; null where an operation answers nothing. */
  data: Data;
}

/** The answer to a call that failed; it has no `data`. */
export type Failure = v.InferOutput<typeof failureSchema>;

/** The answer to every call: `data` is there only when `errCode` is 0. */
export type Envelope<Data> = Success<Data> | Failure;

export function success<Data>(data: Data): Success<Data> {
  return { errCode: 0, errMsg: "", errDlt: "", data };
}

export function failure({ errCode, errMsg, errDlt }: OperationError): Failure {
  return { errCode, errMsg, errDlt };
}
