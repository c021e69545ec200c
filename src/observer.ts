import type { ErrorCode } from "./errors.js";
import type { ConversationFields, ConversationType } from "./model.js";
import type { Unreadable } from "./pagination.js";

/** What an observer learns of every call. */
export interface CallReport {
  /**
   * The function's name, such as `getGroupMemberList`. Other names are those of endpoints: `getAdminToken` issues tokens,
   * `openApiDocument` describes the interface, `getNames` tells names, `countConversationValues` counts what a setting would
   * change, and `listSettings`, `readSetting` and `setBack` read a history and set back.
   */
  operation: string;
  /** The caller's trace identifier; empty if the caller sent none. */
  operationID: string;
  /** The administrator who called, if an adapter authenticated the request. */
  adminUserID?: string;
  /** 0, or the code of the failure. */
  errCode: 0 | ErrorCode;
  /** Why a token was refused, if there is more to say than its `errCode` does. */
  reason?: string;
  /** In milliseconds. Over HTTP, it includes authentication and reading the body. */
  durationMs: number;
  /**
   * The fields of the input that the interface does not know, such as a misspelled `keywrod` or `pagination.pageNum`. At
   * most 8 are named, by at most 48 characters each. It is left out if there are none.
   */
  ignored?: string[];
}

/** What an observer learns of a failure whose cause no answer shows. */
export interface ErrorReport {
  /** As in {@link CallReport}; `upstream` where an upstream gives no answer. */
  operation: string;
  operationID: string;
  /** The cause, which no answer shows. */
  error: unknown;
}

/** What an observer learns of a call that changed conversations. */
export interface ConversationsSetReport {
  operationID: string;
  /** The administrator who called, if an adapter authenticated the request. */
  adminUserID?: string;
  conversationID: string;
  conversationType: ConversationType;
  /** The peer of a single chat; `""` for a group chat. */
  userID: string;
  /** The group of a group chat; `""` for a single chat. */
  groupID: string;
  /** The users whose rows really changed; never empty. */
  userIDs: string[];
  /** The fields that the call supplied. */
  fields: Partial<ConversationFields>;
}

/** What an observer learns of an answer in which fields are 0, false or "" because they cannot be read. */
export interface UnreadableReport {
  /** As in {@link CallReport}. */
  operation: string;
  operationID: string;
  /** At most some twenty of them. */
  unreadable: readonly Unreadable[];
}

/** Callbacks for logs, metrics and notifications. im-admin ignores what they throw or reject with. */
export interface Observer {
  /** After every call, successful or not. */
  onCall?(report: CallReport): unknown;
  /**
   * When a call fails for a reason that its answer does not show.
   * @default one line of JSON to `console.error`
   */
  onError?(report: ErrorReport): unknown;
  /** When the rows of one user or more really changed. */
  onConversationsSet?(report: ConversationsSetReport): unknown;
  /**
   * When an answer lacks values that a map of a host's tables cannot read.
   * @default one line of JSON to `console.error`
   */
  onUnreadable?(report: UnreadableReport): unknown;
}

/** Calls an observer's callback; its failure never fails the call. */
export function notify(callback: () => unknown): void {
  try {
    const result = callback();
    if (result !== undefined) Promise.resolve(result).catch(() => {});
  } catch {
    // An observer must not change what it observes.
  }
}

/** Tells the cause of a failed call to the observer, or to the console if the observer has no `onError`. */
export function reportError(observer: Observer | undefined, report: ErrorReport): void {
  notify(() => (observer?.onError === undefined ? printError(report) : observer.onError(report)));
}

/** Tells what an answer lacks to the observer, or to the console if the observer has no `onUnreadable`. */
export function reportUnreadable(observer: Observer | undefined, report: UnreadableReport): void {
  notify(() => (observer?.onUnreadable === undefined ? printUnreadable(report) : observer.onUnreadable(report)));
}

function printUnreadable(report: UnreadableReport): void {
  // biome-ignore lint/suspicious/noConsole: without onUnreadable, nobody else would learn of it.
  console.error(JSON.stringify({ message: "im-admin: fields cannot be read", ...report }));
}

function printError({ error, ...call }: ErrorReport): void {
  // biome-ignore lint/suspicious/noConsole: without onError, nobody else would learn of the failure.
  console.error(JSON.stringify({ message: "im-admin: a call has failed", ...call, error: described(error) }));
}

/** How many nested causes are printed. */
const printedCauses = 8;

/**
 * The printable part of an error. Some drivers throw objects that are no errors and may hold anything, such as
 * passwords.
 */
function described(error: unknown, depth = 0): unknown {
  if (typeof error !== "object" || error === null) return String(error);
  try {
    const { name, message, stack, cause, code } = error as Record<string, unknown>;
    return {
      name: textOf(name),
      message: textOf(message) ?? String(error),
      // A driver's code, such as SQLSTATE.
      code: typeof code === "number" ? code : textOf(code),
      stack: textOf(stack),
      ...(cause !== undefined && depth < printedCauses && { cause: described(cause, depth + 1) }),
    };
  } catch {
    return "an object that cannot be read";
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
