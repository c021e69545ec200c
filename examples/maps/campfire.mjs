// Campfire
//
// Lists show open and closed rooms. A room's creator has level 100, administrators of the account have 60, and all others
// 20. Campfire keeps its tables in SQLite.
//
// - Campfire bans accounts and their addresses. Nobody blocks a user for himself alone. A banned account keeps its
//   memberships.
import { defineTables } from "im-admin/tables";

export default defineTables({
  users: {
    from: "users",
    key: { userID: "id" },
    fields: {
      nickname: "name",
      appMangerLevel: "CASE WHEN role = 2 AND status = 0 THEN 4 WHEN role = 1 THEN 2 ELSE 1 END",
    },
  },
  groups: {
    from: "rooms",
    key: { groupID: "id" },
    where: "type <> 'Rooms::Direct'",
    fields: { groupName: "name", createTime: "unixepoch(created_at) * 1000", creatorUserID: "creator_id" },
  },
  groupMembers: {
    from: "memberships",
    key: { groupID: "room_id", userID: "user_id" },
    where: "EXISTS (SELECT 1 FROM rooms WHERE rooms.id = memberships.room_id AND rooms.type <> 'Rooms::Direct')",
    fields: {
      roleLevel: `CASE
        WHEN EXISTS (SELECT 1 FROM rooms WHERE rooms.id = memberships.room_id AND rooms.creator_id = memberships.user_id) THEN 100
        WHEN EXISTS (SELECT 1 FROM users WHERE users.id = memberships.user_id AND users.role = 1) THEN 60
        ELSE 20 END`,
      joinTime: "unixepoch(created_at) * 1000",
    },
    also: [
      { table: "rooms", key: { groupID: "id" } },
      { table: "users", key: { userID: "id" } },
    ],
  },
  blacks: "empty",
  groupRequests: "empty",
  conversations: "empty",
});
