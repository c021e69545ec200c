import type BetterSqlite3 from "better-sqlite3";

/** The conversation of a group to set, and its users. */
export interface GroupConversation {
  userIDs: readonly string[];
  conversationID: string;
  groupID: string;
}

/** The same checks and the same upsert as im-admin's, user by user in one transaction; gives how many users there are. */
export function setByHand(
  connection: BetterSqlite3.Database,
  { userIDs, conversationID, groupID }: GroupConversation,
): (burnDuration: number) => number {
  const conversationType = 3;
  const group = connection.prepare("SELECT status FROM im_admin_groups WHERE group_id = ?").pluck();
  const user = connection.prepare("SELECT 1 FROM im_admin_users WHERE user_id = ?").pluck();
  const contradicted = connection.prepare(
    `SELECT 1 FROM im_admin_conversations WHERE owner_user_id = ? AND conversation_id = ?
      AND (conversation_type <> ? OR user_id <> '' OR group_id <> ?)`,
  );
  const upsert = connection.prepare(
    `INSERT INTO im_admin_conversations (owner_user_id, conversation_id, conversation_type, group_id, burn_duration)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET burn_duration = excluded.burn_duration`,
  );
  return connection.transaction((burnDuration: number) => {
    if (group.get(groupID) !== 0) throw new Error("there is no such group");
    for (const userID of userIDs) {
      if (user.get(userID) === undefined) throw new Error(`there is no user ${userID}`);
      if (contradicted.get(userID, conversationID, conversationType, groupID) !== undefined) throw new Error(userID);
    }
    for (const userID of userIDs) upsert.run(userID, conversationID, conversationType, groupID, burnDuration);
    return userIDs.length;
  }).immediate;
}
