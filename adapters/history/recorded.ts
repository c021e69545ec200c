import type { CallOptions } from "../../src/call.js";
import { OperationError } from "../../src/errors.js";
import { reportError } from "../../src/observer.js";
import { type Done, doneOf } from "../../src/operations/setConversations.js";
import type { ConversationChange, Store, StoreCall } from "../../src/store.js";
import type { History, SettingBegun, SettingEnded } from "./history.js";

/** The part of a store that sets conversations. */
export type SettingStore = Pick<Store, "setConversations">;

/** A store whose settings a history keeps. */
export function recorded(store: SettingStore, history: History, options: CallOptions): SettingStore {
  return {
    async setConversations(change, call = {}) {
      if (Object.keys(change.fields).length === 0) return store.setConversations(change, call);
      const [done] = await keep(history, options, call, [change], async (change) =>
        doneOf(await store.setConversations(telling(change), call), change),
      );
      return done as Done;
    },
  };
}

/** The change, which tells what was there before. */
export function telling(change: ConversationChange): ConversationChange {
  return { ...change, tell: Object.keys(change.fields) as (keyof typeof change.fields)[] };
}

/**
 * Makes changes, one after another, and keeps an entry of each before the first and after the last, as audit logs do. If
 * the latter cannot be kept, the changes are made all the same, and their outcome stays unknown.
 *
 * @param setsBack the settingID of the setting that is set back
 */
export async function keep(
  history: History,
  { observer }: CallOptions,
  call: StoreCall,
  changes: readonly ConversationChange[],
  make: (change: ConversationChange) => Promise<Done>,
  setsBack?: string,
): Promise<Done[]> {
  const begun = changes.map((change) => begunOf(change, call, setsBack));
  await history.append(begun);
  const results: Done[] = [];
  const ended: SettingEnded[] = [];
  const end = (became: Pick<SettingEnded, "outcome" | "errCode" | "changed" | "before">) => {
    const { requestID = "" } = begun[ended.length] ?? {};
    ended.push({ entry: "ended", requestID, time: Date.now(), ...became });
  };
  try {
    for (const change of changes) {
      const done = await make(change);
      results.push(done);
      end({ outcome: "done", errCode: 0, changed: done.changedUserIDs.length, before: done.before });
    }
    return results;
  } catch (error) {
    const isRefusal = error instanceof OperationError;
    const errCode = isRefusal ? error.errCode : 500;
    end({ outcome: isRefusal ? "failed" : "unknown", errCode, changed: 0 });
    // The others have not begun.
    while (ended.length < begun.length) end({ outcome: "failed", errCode, changed: 0 });
    throw error;
  } finally {
    try {
      await history.append(ended);
    } catch (error) {
      reportError(observer, { operation: "setConversations", operationID: call.operationID ?? "", error });
    }
  }
}

function begunOf(change: ConversationChange, call: StoreCall, setsBack: string | undefined): SettingBegun {
  const { userIDs, conversationID, conversationType, userID, groupID, fields } = change;
  const { adminUserID = "", operationID = "" } = call;
  const requestID = crypto.randomUUID();
  const asked = {
    time: Date.now(),
    adminUserID,
    operationID,
    conversationID,
    conversationType,
    userID,
    groupID,
    fields,
  };
  return { entry: "begun", requestID, ...asked, setsBack, userIDs };
}
