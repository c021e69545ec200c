import type { ErrorCode } from "./errors.js";
import type { ConversationFields, ConversationType } from "./model.js";

/** What an observer learns of every call. */
export interface CallReport {
  /**
   * The function's name, such as `getGroupMemberList`; `getAdminToken` for the endpoint that gives out tokens, and
   * `openApiDocument` for the one that describes the interface.
   */
  operation: string;
  /** The caller's trace identifier; empty where none was given. */
  operationID: string;
  /** Who called, where an adapter authenticated the request. */
  adminUserID?: string;
  /** 0, or the code of the failure. */
  errCode: 0 | ErrorCode;
  /** In milliseconds; over HTTP with the authentication and the reading of the body. */
  durationMs: number;
}

/** What an observer learns of a failure that was answered as 500. */
export interface ErrorReport {
  operation: string;
  operationID: string;
  /** The cause, which no answer shows. */
  error: unknown;
}

/** What an observer learns of a call that changed conversations. */
export interface ConversationsSetReport {
  operationID: string;
  /** Who called, where an adapter authenticated the request. */
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

/** Callbacks for logs, metrics and notifications. Whatever they throw or reject with is ignored. */
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

/** Tells whoever is to mend it why a call has failed: the observer, or where it does not want to know, the console. */
export function reportError(observer: Observer | undefined, report: ErrorReport): void {
  notify(() => (observer?.onError === undefined ? printError(report) : observer.onError(report)));
}

function printError({ error, ...call }: ErrorReport): void {
  // biome-ignore lint/suspicious/noConsole: nobody else would learn of it, and onError turns it off.
  console.error(JSON.stringify({ message: "im-admin: a call was answered as 500", ...call, error: described(error) }));
}

/** How many causes of causes are printed. */
const printedCauses = 8;

/** Some drivers throw objects that are no errors, and that may hold anything: of those, too, no more than this is printed. */
function described(error: unknown, depth = 0): unknown {
  if (typeof error !== "object" || error === null) return String(error);
  try {
    const { name, message, stack, cause, code } = error as Record<string, unknown>;
    return {
      name: textOf(name),
      message: textOf(message) ?? String(error),
      // What a driver calls it; SQLSTATE, for one.
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
