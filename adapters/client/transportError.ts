/**
 * A call without an answer: the server could not be reached, the connection broke, or the answer is no envelope, such
 * as the page of a proxy. It is then unknown whether a write has taken place.
 */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** The HTTP status of the answer; undefined without an answer. */
  readonly status: number | undefined;
  /** The trace identifier that the call was sent with. */
  readonly operationID: string;

  constructor(message: string, operationID: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.operationID = operationID;
  }
}
