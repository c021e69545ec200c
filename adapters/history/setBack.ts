import type { CallOptions } from "../../src/call.js";
import { argsError, notFound } from "../../src/errors.js";
import { type Done, doneOf, tellSet } from "../../src/operations/setConversations.js";
import type { ConversationChange, StoreCall } from "../../src/store.js";
import type { History } from "./history.js";
import { keep, type SettingStore, telling } from "./recorded.js";

/** How many users became what. */
export interface SetBack {
  /** They have what was there before the setting. */
  changed: number;
  /** They have something else by now than the setting gave them. */
  leftAlone: number;
  /** They do not exist any more. */
  gone: number;
}

/** How many changes are made between two writes to the history. */
const changesAtOnce = 100;

/** Sets back a request of a setting, for the users whose conversation is still as the request left it. */
export async function setBack(
  history: History,
  store: SettingStore,
  { settingID, request }: { settingID: string; request: number },
  options: CallOptions,
  call: StoreCall,
): Promise<SetBack> {
  const found = await history.read(settingID, request);
  if (found === undefined) throw notFound("setting", [settingID]);
  const { begun, ended } = found;
  const before = ended?.outcome === "failed" ? [] : ended?.before;
  if (before === undefined) throw argsError("what was there before this request is not known");
  const { conversationID, conversationType, userID, groupID, fields: onlyIf } = begun;
  const set = Object.entries(onlyIf) as [keyof typeof onlyIf, unknown][];
  const changes: ConversationChange[] = before
    // The setting has created conversations with what their users had without one.
    .filter(({ fields }) => set.some(([field, value]) => fields[field] !== value))
    .map(({ fields, userIDs }) => ({ userIDs, conversationID, conversationType, userID, groupID, fields, onlyIf }));
  const counts: SetBack = { changed: 0, leftAlone: 0, gone: 0 };
  let { signal } = call;
  // As soon as a change has begun, all of them are made: otherwise nobody would learn how far it went.
  const lasting: StoreCall = {
    operationID: call.operationID,
    adminUserID: call.adminUserID,
    get signal() {
      return signal;
    },
    begun() {
      signal = undefined;
      call.begun?.();
    },
  };

  /** Makes a change for those users who can be set back. */
  async function make(change: ConversationChange): Promise<Done> {
    const result = await store.setConversations(telling(change), lasting);
    const named = new Set(
      result.outcome === "usersNotFound" || result.outcome === "contradicted" ? result.userIDs : [],
    );
    const userIDs = change.userIDs.filter((userID) => !named.has(userID));
    const left = change.userIDs.length - userIDs.length;
    if (left > 0) {
      counts[result.outcome === "usersNotFound" ? "gone" : "leftAlone"] += left;
      if (userIDs.length > 0) return make({ ...change, userIDs });
      return { outcome: "done", changedUserIDs: [], before: [] };
    }
    const done = doneOf(result, change);
    tellSet(options, change, done.changedUserIDs);
    counts.changed += done.changedUserIDs.length;
    counts.leftAlone += userIDs.length - done.changedUserIDs.length;
    return done;
  }

  for (let start = 0; start < changes.length; start += changesAtOnce) {
    await keep(history, options, call, changes.slice(start, start + changesAtOnce), make, settingID);
  }
  return counts;
}
