import type { ErrorCode, ErrorName, Failure } from "../../src/index.js";

/** The failure that the server answered where `eachPage` or `eachItem` asked for a page. */
export class AnswerError extends Error implements Failure {
  override readonly name = "AnswerError";
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
