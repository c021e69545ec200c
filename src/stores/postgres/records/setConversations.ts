import type { ConversationFields } from "../../../model.js";
import { settableFields } from "../../../records.js";
import type { ConversationChange, ConversationChangeResult, StoreCall } from "../../../store.js";
import { mayCreate, valuesBefore } from "../../valuesBefore.js";
import { type PostgresPool, readCommitted, retried } from "../database.js";
import { turnsOf } from "../heavyTurns.js";
import { runForCall } from "../runForCall.js";
import { join, type Sql, sql } from "../sql.js";

/** Sets a conversation of many users in one statement, when it is the caller's turn. */
export async function setConversations(
  pool: PostgresPool,
  schema: Sql,
  change: ConversationChange,
  call?: StoreCall,
): Promise<ConversationChangeResult> {
  const { userIDs, conversationID, conversationType, userID, groupID, fields, tell, onlyIf } = change;
  const supplied = settableFields.map(([field]) => sql`${fields[field] ?? null}`);
  const expected = onlyIf === undefined ? null : JSON.stringify(onlyIf);
  const statement = sql`
    SELECT outcome, user_ids, before FROM ${schema}.set_conversations(
      ${userIDs}, ${conversationID}, ${conversationType}, ${userID}, ${groupID}, ${join(supplied)},
      ${tell ?? null}, ${expected}, ${mayCreate(change)})`;
  const written = () =>
    retried(
      () => runForCall(pool, statement, call),
      // Another call sets the same users. In this mode the call waits for it; in a stricter one it would fail again.
      () => runForCall(pool, statement, call, readCommitted),
    );
  const [row] = await turnsOf(pool).writes(String(call?.adminUserID), call?.signal, written);
  const named = () => JSON.parse(String(row?.["user_ids"])) as string[];
  switch (row?.["outcome"]) {
    case "done": {
      const changedUserIDs = named();
      if (tell === undefined) return { outcome: "done", changedUserIDs };
      const stored = new Map(JSON.parse(String(row["before"])) as [string, Partial<ConversationFields>][]);
      const isWrite = Object.keys(fields).length > 0;
      const before = valuesBefore(tell, isWrite ? changedUserIDs : userIDs, (id, field) => stored.get(id)?.[field]);
      return { outcome: "done", changedUserIDs, before };
    }
    case "groupNotFound":
      return { outcome: "groupNotFound" };
    case "groupDismissed":
      return { outcome: "groupDismissed" };
    case "usersNotFound":
      return { outcome: "usersNotFound", userIDs: named() };
    case "contradicted":
      return { outcome: "contradicted", userIDs: named() };
    case "notKept":
      return { outcome: "notKept" };
    default:
      throw new Error("set_conversations has returned no outcome");
  }
}
