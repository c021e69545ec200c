/**
 * Why a call has no answer: the server could not be reached, the connection broke, or what came is no envelope, such as
 * the page of a proxy. Whether a write has taken place is then unknown.
 */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** The HTTP status of what came; undefined where nothing came. */
  readonly status: number | undefined;
  /** The trace identifier that the call was sent with. */
  readonly operationID: string;

  constructor(message: string, operationID: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.operationID = operationID;
  }
}
