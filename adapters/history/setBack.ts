import type { CallOptions } from "../../src/call.js";
import { argsError, notFound } from "../../src/errors.js";
import { doneOf, tellSet } from "../../src/operations/setConversations.js";
import type { ConversationChange, StoreCall } from "../../src/store.js";
import type { History } from "./history.js";
import { recorded, type SettingStore } from "./recorded.js";

/** How many users became what. */
export interface SetBack {
  /** They have what was there before the setting. */
  changed: number;
  /** They have something else by now than the setting gave them. */
  leftAlone: number;
  /** They do not exist any more. */
  gone: number;
}

/** Sets back a request of a setting, for the users whose conversation is still as the request left it. */
export async function setBack(
  history: History,
  given: SettingStore,
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
  const store = recorded(given, history, options, settingID);
  const { adminUserID, operationID, signal } = call;
  // When one of the changes has begun, all of them are made: without that, nobody would learn how far it went.
  let until = signal;
  const begin = () => {
    until = undefined;
    call.begun?.();
  };
  const counts: SetBack = { changed: 0, leftAlone: 0, gone: 0 };
  const set = Object.entries(onlyIf) as [keyof typeof onlyIf, unknown][];
  for (const { fields, userIDs } of before) {
    // The setting has created their conversation with what they had without one.
    if (set.every(([field, value]) => fields[field] === value)) continue;
    let left: readonly string[] = userIDs;
    while (left.length > 0) {
      const change: ConversationChange = {
        userIDs: left,
        conversationID,
        conversationType,
        userID,
        groupID,
        fields,
        onlyIf,
      };
      const result = await store.setConversations(change, { adminUserID, operationID, signal: until, begun: begin });
      const named = new Set(
        result.outcome === "usersNotFound" || result.outcome === "contradicted" ? result.userIDs : [],
      );
      const others = left.filter((userID) => !named.has(userID));
      if (others.length < left.length) {
        counts[result.outcome === "usersNotFound" ? "gone" : "leftAlone"] += left.length - others.length;
        left = others;
        continue;
      }
      const { changedUserIDs } = doneOf(result, change);
      tellSet(options, change, changedUserIDs);
      counts.changed += changedUserIDs.length;
      counts.leftAlone += left.length - changedUserIDs.length;
      break;
    }
  }
  return counts;
}
