import type { Envelope, ErrorCode, ErrorName, Failure } from "../../src/index.js";

/** A failure of the server, as an error for code that needs the data. */
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
 * Returns the data of an answer, and throws a failure. Use it with libraries that expect thrown failures, such as a
 * cache of queries.
 *
 * @throws AdminError for a failure
 */
export function unwrap<Data>(answer: Envelope<Data>): Data {
  if (answer.errCode !== 0) throw new AdminError(answer);
  return answer.data;
}
