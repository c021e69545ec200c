/** Why an upstream has given no answer, or no whole one. It holds nothing of what was sent: tokens may be in there. */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  /** What the client is told in place of the answer. */
  readonly status: 502 | 504;
  /** What the client may know of it. */
  readonly what: string;
  /** Node's code of it, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(status: 502 | 504, what: string, code?: string) {
    super(code === undefined ? what : `${what} (${code})`);
    this.status = status;
    this.what = what;
    this.code = code;
  }
}

const unreachable = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EMFILE",
];

/** What an error of Node's http client means. */
export function failureOf(error: NodeJS.ErrnoException): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const { code = "" } = error;
  if (code === "ETIMEDOUT") return tooLateToConnect();
  if (unreachable.includes(code)) return new UpstreamFailure(502, "the upstream cannot be reached", code);
  if (code.startsWith("HPE_")) return noHttp(code);
  if (code === "ECONNRESET" || code === "EPIPE") {
    return new UpstreamFailure(502, "the upstream closed the connection before its answer was whole", code);
  }
  return new UpstreamFailure(502, "the upstream gave no answer", code || undefined);
}

export function noHttp(code?: string): UpstreamFailure {
  return new UpstreamFailure(502, "the upstream's answer is no HTTP", code);
}

export function tooLateToConnect(): UpstreamFailure {
  return new UpstreamFailure(504, "the upstream could not be reached in time");
}

export function tooSilent(): UpstreamFailure {
  return new UpstreamFailure(504, "the upstream did not answer in time");
}
