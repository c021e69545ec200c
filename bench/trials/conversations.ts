/** One conversation is set for 10,000 users, who all have it already, to something else each time. */
import type BetterSqlite3 from "better-sqlite3";
import type { ConversationChange } from "../../src/store.js";
import { openSqliteStore } from "../../src/stores/sqlite.js";
import { type Call, measureCalls } from "../measure.js";
import { openConnection } from "../plain.js";
import { largeGroup, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf, type World } from "../world.js";

const userIDs = Array.from({ length: 10_000 }, (_, number) => userID(number * 7));
const conversation = {
  conversationID: `sg_${largeGroup}`,
  conversationType: 3,
  userID: "",
  groupID: largeGroup,
} as const;

const contestants: Readonly<Record<string, (world: World) => Call>> = {
  "im-admin"(world) {
    const store = openSqliteStore({ path: pathOf(world, "imAdmin") });
    return async (index) => {
      const change: ConversationChange = { ...conversation, userIDs, fields: { burnDuration: index } };
      const result = await store.setConversations(change);
      return result.outcome === "done" ? result.changedUserIDs.length : result.outcome;
    };
  },
  "better-sqlite3"(world) {
    const set = handWritten(openConnection(pathOf(world, "plain")));
    return (index) => set(index);
  },
};

/** The same checks and the same upsert, user by user in one transaction. */
function handWritten(connection: BetterSqlite3.Database): (burnDuration: number) => number {
  const { conversationID, conversationType, groupID } = conversation;
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

export const conversationsTrial: Trial = {
  name: "a conversation is set for 10,000 users",
  contestants: Object.keys(contestants),
  databases: ["imAdmin", "plain"],
  unit: "ms",
  isHeadline: true,
  async measure(contestant, world) {
    const call = contestants[contestant]?.(world);
    if (call === undefined) throw new Error(`there is no contestant ${contestant}`);
    return measureCalls(call, world.milliseconds);
  },
};
