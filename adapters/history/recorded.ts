import type { CallOptions } from "../../src/call.js";
import { OperationError } from "../../src/errors.js";
import { reportError } from "../../src/observer.js";
import { doneOf } from "../../src/operations/setConversations.js";
import type { ConversationChange, ConversationChangeResult, Store } from "../../src/store.js";
import type { History, SettingEnded } from "./history.js";

/** The part of a store that sets conversations. */
export type SettingStore = Pick<Store, "setConversations">;

/**
 * A store whose settings a history keeps: an entry before each and one after it, as audit logs do. If the second cannot
 * be kept, the setting is made all the same, and its outcome stays unknown.
 *
 * @param setsBack the settingID of the setting that is set back
 */
export function recorded(
  store: SettingStore,
  history: History,
  { observer }: CallOptions,
  setsBack?: string,
): SettingStore {
  return {
    async setConversations(change, call = {}) {
      const { userIDs, conversationID, conversationType, userID, groupID, fields } = change;
      const tell = Object.keys(fields) as (keyof typeof fields)[];
      if (tell.length === 0) return store.setConversations(change, call);
      const { adminUserID = "", operationID = "" } = call;
      const requestID = crypto.randomUUID();
      await history.append({
        entry: "begun",
        requestID,
        time: Date.now(),
        adminUserID,
        operationID,
        conversationID,
        conversationType,
        userID,
        groupID,
        fields,
        setsBack,
        userIDs,
      });
      let end: Outcome = { outcome: "unknown", errCode: 500, changed: 0 };
      try {
        const result = await store.setConversations({ ...change, tell }, call);
        end = outcomeOf(result, change);
        return result;
      } finally {
        await history.append({ entry: "ended", requestID, time: Date.now(), ...end }).catch((error) => {
          reportError(observer, { operation: "setConversations", operationID, error });
        });
      }
    },
  };
}

type Outcome = Omit<SettingEnded, "entry" | "requestID" | "time">;

function outcomeOf(result: ConversationChangeResult, change: ConversationChange): Outcome {
  try {
    const { changedUserIDs, before } = doneOf(result, change);
    return { outcome: "done", errCode: 0, changed: changedUserIDs.length, before };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { outcome: "failed", errCode: error.errCode, changed: 0 };
  }
}
