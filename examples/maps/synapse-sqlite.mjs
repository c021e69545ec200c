// Synapse on SQLite
//
// What it lists, and what to know, is told in synapse-postgresql.mjs.
import { defineTables } from "im-admin/tables";

const member = (column = "") =>
  `(SELECT member.${column} FROM room_memberships AS member WHERE member.event_id = current_state_events.event_id)`;
const stats = (column = "") =>
  `(SELECT state.${column} FROM room_stats_state AS state WHERE state.room_id = rooms.room_id)`;
const profile = (column = "") =>
  `(SELECT profile.${column} FROM profiles AS profile WHERE profile.full_user_id = users.name)`;

export default defineTables({
  users: {
    from: "users",
    key: { userID: "name" },
    fields: {
      nickname: profile("displayname"),
      faceURL: profile("avatar_url"),
      appMangerLevel: "CASE WHEN user_type = 'bot' AND deactivated = 0 THEN 4 WHEN admin = 1 THEN 2 ELSE 1 END",
    },
    also: [{ table: "profiles", key: { userID: "full_user_id" } }],
  },
  groups: {
    from: "rooms",
    key: { groupID: "room_id" },
    fields: {
      groupName: stats("name"),
      introduction: stats("topic"),
      faceURL: stats("avatar"),
      createTime: `(SELECT events.origin_server_ts
        FROM current_state_events AS state JOIN events ON events.event_id = state.event_id
        WHERE state.room_id = rooms.room_id AND state.type = 'm.room.create' AND state.state_key = '')`,
      creatorUserID: "creator",
      status: "EXISTS (SELECT 1 FROM blocked_rooms AS blocked WHERE blocked.room_id = rooms.room_id)",
    },
  },
  groupMembers: {
    from: "current_state_events",
    key: { groupID: "room_id", userID: "state_key" },
    where: "type = 'm.room.member' AND membership = 'join'",
    fields: {
      nickname: member("display_name"),
      faceURL: member("avatar_url"),
      roleLevel: `CASE
        WHEN EXISTS (SELECT 1 FROM rooms WHERE rooms.room_id = current_state_events.room_id
          AND rooms.room_version = '12' AND rooms.creator = current_state_events.state_key) THEN 100
        ELSE coalesce((SELECT CASE WHEN levels.power >= 100 THEN 100 WHEN levels.power >= 50 THEN 60 ELSE 20 END FROM (
          SELECT CAST(coalesce(
              (SELECT user.value FROM json_each(event_json.json, '$.content.users') AS user WHERE user.key = current_state_events.state_key),
              json_extract(event_json.json, '$.content.users_default'), 0) AS INTEGER) AS power
            FROM current_state_events AS state JOIN event_json ON event_json.event_id = state.event_id
            WHERE state.room_id = current_state_events.room_id AND state.type = 'm.room.power_levels' AND state.state_key = ''
        ) AS levels), 20) END`,
    },
    also: [
      { table: "room_memberships", key: { groupID: "room_id", userID: "user_id" } },
      { table: "rooms", key: { groupID: "room_id" } },
      {
        table: "current_state_events",
        key: { groupID: { sql: "CASE type WHEN 'm.room.power_levels' THEN room_id ELSE '' END" } },
      },
      {
        table: "event_json",
        key: { groupID: { sql: `CASE WHEN instr(json, '"m.room.power_levels"') > 0 THEN room_id ELSE '' END` } },
      },
    ],
  },
  blacks: { from: "ignored_users", key: { ownerUserID: "ignorer_user_id", blackUserID: "ignored_user_id" } },
  groupRequests: {
    from: "current_state_events",
    key: { groupID: "room_id", userID: "state_key" },
    where: "type = 'm.room.member' AND membership = 'knock'",
    fields: {
      reqMsg: `(SELECT json_extract(event_json.json, '$.content.reason') FROM event_json
        WHERE event_json.event_id = current_state_events.event_id)`,
    },
  },
  conversations: "empty",
});
