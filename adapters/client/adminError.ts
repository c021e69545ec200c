import type { Envelope, ErrorCode, ErrorName, Failure } from "../../src/index.js";

/** The failure that a call was answered with, where only data will do. */
export class AdminError extends Error implements Failure {
  override readonly name = "AdminError";
  readonly errCode: ErrorCode;
  readonly errMsg: ErrorName;
  readonly errDlt: string;

  constructor({ errCode, errMsg, errDlt }: Failure) {
    super(errDlt);
    this.errCode = errCode;
    this.errMsg = errMsg;
    this.errDlt = errDlt;
  }
}

/**
 * Gives the data of an answer, for what takes a failure for one only where it is thrown, such as a cache of queries.
 *
 * @throws AdminError for a failure
 */
export function unwrap<Data>(answer: Envelope<Data>): Data {
  if (answer.errCode !== 0) throw new AdminError(answer);
  return answer.data;
}
