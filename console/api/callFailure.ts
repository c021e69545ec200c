/** What went wrong: the server refused, could not be reached, took too long, asks to wait, or answered without an envelope. */
export type FailureKind = "refused" | "unreachable" | "late" | "busy" | "garbled";

interface Details {
  operationID: string;
  errCode?: number;
  errMsg?: string;
  errDlt?: string;
  /** The HTTP status, where it may say more than the envelope. */
  status?: number | undefined;
}

/** The failure of a call, which has no data. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly kind: FailureKind;
  readonly operationID: string;
  readonly errCode: number;
  readonly errMsg: string;
  readonly errDlt: string;
  readonly status: number;

  constructor(kind: FailureKind, { operationID, errCode = 0, errMsg = "", errDlt = "", status = 0 }: Details) {
    super(`${kind} ${errDlt}`);
    this.kind = kind;
    this.operationID = operationID;
    this.errCode = errCode;
    this.errMsg = errMsg;
    this.errDlt = errDlt;
    this.status = status;
  }

  /** What is wrong, without the code in front of and behind it. */
  get what(): string {
    return this.errDlt.replace(/^\d+ \w+(: )?/, "").replace(/: \[1004\]RecordNotFoundError$/, "");
  }

  /** The JSON path of the wrong field, such as `conversation.burnDuration`; empty if no field is wrong. */
  get field(): string {
    return this.errCode === 1001 ? (/^[a-zA-Z]+(?:\.[a-zA-Z]+|\[\d+\])*(?= )/.exec(this.what)?.[0] ?? "") : "";
  }

  /** Whether another token would help. */
  get isOfToken(): boolean {
    return this.errCode === 1002 || (this.errCode >= 1501 && this.errCode <= 1507);
  }
}

/** Whether a call has failed: not if the page gave it up. Throws any other error, which is a defect. */
export function hasFailed(error: unknown, signal?: AbortSignal): error is CallFailure {
  if (signal?.aborted) return false;
  if (!(error instanceof CallFailure)) throw error;
  return true;
}
