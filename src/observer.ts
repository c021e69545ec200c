import type { ErrorCode } from "./errors.js";
import type { ConversationFields } from "./model.js";

/** What an observer learns of every call. */
export interface CallReport {
  /** The function's name, such as `getGroupMemberList`; `getAdminToken` for the endpoint that gives out tokens. */
  operation: string;
  /** The caller's trace identifier; empty where none was given. */
  operationID: string;
  /** Who called, where an adapter authenticated the request. */
  adminUserID?: string;
  /** 0, or the code of the failure. */
  errCode: 0 | ErrorCode;
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
  conversationID: string;
  /** The users whose rows really changed; never empty. */
  userIDs: string[];
  /** The fields that the call supplied. */
  fields: Partial<ConversationFields>;
}

/** Callbacks for logs, metrics and notifications. Whatever they throw or reject with is ignored. */
export interface Observer {
  /** After every call, successful or not. */
  onCall?(report: CallReport): unknown;
  /** When a call fails for a reason that its answer does not show. */
  onError?(report: ErrorReport): unknown;
  /** When the rows of one user or more really changed. */
  onConversationsSet?(report: ConversationsSetReport): unknown;
}

/** Calls an observer's callback; its failure never fails the call. */
export function notify(callback: () => unknown): void {
  try {
    Promise.resolve(callback()).catch(() => {});
  } catch {
    // An observer must not change what it observes.
  }
}
