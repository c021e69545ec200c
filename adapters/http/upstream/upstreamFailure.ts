/** Why an upstream has given no answer. It holds nothing of what was sent: tokens may be in there. */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  /** What the client is told in place of the answer. */
  readonly status: number;
  /** What the client may know of it. */
  readonly what: string;

  /** @param reason what the runtime says of it, such as `ECONNREFUSED` */
  constructor(status: 502 | 504 | 508, what: string, reason?: string) {
    super(reason === undefined ? what : `${what} (${reason})`);
    this.status = status;
    this.what = what;
  }
}

/** Ends what nobody waits for any more. */
export const clientHasGone = new UpstreamFailure(502, "the client has gone");

/** What an error of a runtime's `fetch` means. */
export function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const { code, cause, name, message } = (error ?? {}) as {
    code?: unknown;
    name?: unknown;
    message?: unknown;
    cause?: Partial<NodeJS.ErrnoException>;
  };
  if (name === "TimeoutError" || cause?.code === "UND_ERR_CONNECT_TIMEOUT") return tooLate();
  // Node's fetch says only in the cause what has failed.
  const reason = [cause?.code, code, cause?.message, message].find(
    (found) => typeof found === "string" && found !== "",
  );
  return new UpstreamFailure(502, "the upstream gave no answer", reason as string | undefined);
}

export function tooLate(): UpstreamFailure {
  return new UpstreamFailure(504, "the upstream did not answer in time");
}
