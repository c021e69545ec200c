/**
 * The `errCode` of every failure, by its `errMsg`. 0 means success, and is not listed here.
 *
 * Source: the OpenIM server's error codes, as far as these operations use them.
 */
export const errorCodes = {
  /** The input is malformed, missing or over a limit. */
  ArgsError: 1001,
  /** The token is valid, but its user is no administrator. */
  NoPermissionError: 1002,
  /** The group, the user or a listed user does not exist. */
  RecordNotFoundError: 1004,
  /** The group was dismissed (its `status` is 2). */
  DismissedAlreadyError: 1204,
  /** The token's lifetime is over. */
  TokenExpiredError: 1501,
  /** The token is no JWT, lacks a required claim, or has times in milliseconds. */
  TokenMalformedError: 1503,
  /** The token's `nbf` or `iat` lies in the future. */
  TokenNotValidYetError: 1504,
  /** The token has a bad signature, another algorithm or an unknown key. */
  TokenUnknownError: 1505,
  /** The token was revoked. */
  TokenKickedError: 1506,
  /** The token is not in the list of known tokens. */
  TokenNotExistError: 1507,
  /** Any other failure. The cause goes to the observer and never into the answer. */
  ServerInternalError: 500,
} as const;

/** The `errMsg` of a failure. */
export type ErrorName = keyof typeof errorCodes;

/** The `errCode` of a failure. */
export type ErrorCode = (typeof errorCodes)[ErrorName];

/** A failure whose cause the answer shows. Any other error is answered as a bare 500. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly errMsg: ErrorName;
  /** What exactly is wrong; it may be empty. */
  readonly what: string;

  constructor(errMsg: ErrorName, what = "") {
    super(what === "" ? errMsg : `${errMsg}: ${what}`);
    this.errMsg = errMsg;
    this.what = what;
  }

  get errCode(): ErrorCode {
    return errorCodes[this.errMsg];
  }

  get errDlt(): string {
    if (this.errMsg === "RecordNotFoundError") return `${this.what}: [1004]RecordNotFoundError`;
    const detail = `${this.errCode} ${this.errMsg}`;
    return this.what === "" ? detail : `${detail}: ${this.what}`;
  }
}

/** The failure of wrong input. */
export function argsError(what: string): OperationError {
  return new OperationError("ArgsError", what);
}

/** The failure of a page whose items have more bytes than a page may have. */
export class PageTooLong extends OperationError {
  /**
   * @param fitting how many items fit
   * @param mostBytes how many bytes they may have
   */
  constructor(fitting: number, mostBytes: number) {
    super("ArgsError", `pagination.showNumber must be at most ${fitting}: more have over ${mostBytes} bytes`);
  }
}

/** What a failure names. */
type RecordKind = "group" | "user" | "setting";

/** The failure if records do not exist. */
export function notFound(kind: RecordKind, ids: readonly string[]): OperationError {
  return new OperationError("RecordNotFoundError", nameRecords(kind, ids));
}

/** How many records an error text names at most. So many, since a client may want to leave them all out. */
const namedRecords = 1_000;

/**
 * Names records in an error text: `group g404`, `users u1, u2 and 14 more`.
 *
 * It counts an identifier that contains "token", but does not name it: a published admin UI logs its user out when it
 * reads that word in an `errDlt`.
 */
export function nameRecords(kind: RecordKind, ids: readonly string[]): string {
  const kinds = ids.length === 1 ? kind : `${kind}s`;
  const named = ids.filter((id) => !/token/i.test(id)).slice(0, namedRecords);
  if (named.length === 0) return `${ids.length} ${kinds}`;
  const rest = ids.length - named.length;
  return `${kinds} ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
