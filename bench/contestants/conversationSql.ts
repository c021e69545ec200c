import type BetterSqlite3 from "better-sqlite3";

/** Which conversation of a group is set for whom. */
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
  const group = connection.prepare("SELECT status FROM groups WHERE groupID = ?").pluck();
  const user = connection.prepare("SELECT 1 FROM users WHERE userID = ?").pluck();
  const contradicted = connection.prepare(
    `SELECT 1 FROM conversations WHERE ownerUserID = ? AND conversationID = ?
      AND (conversationType <> ? OR userID <> '' OR groupID <> ?)`,
  );
  const upsert = connection.prepare(
    `INSERT INTO conversations (ownerUserID, conversationID, conversationType, groupID, burnDuration)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET burnDuration = excluded.burnDuration`,
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
