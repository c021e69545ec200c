// Synapse on PostgreSQL
//
// Lists show all rooms that the server is in, with the members from other servers. A member's name is the one in the room.
// Power levels of 100 and more are level 100, those of 50 and more are 60, and all others 20. Users who knock are join
// requests, until somebody invites or refuses them.
//
// - Synapse stores no join times that outlive a change of the profile: members of a level are in the order of their IDs.
// - Direct chats and spaces are rooms like others in Synapse's tables, so they are groups here.
// - In a room of version 12, its creator has level 100. Further creators have it in the room's first event alone, and are
//   not shown with it.
// - `also` names `event_json`, so each event costs one more row, whatever it is. The key of such a row is empty unless the
//   event sets power levels, so nothing is looked up for it.
// - If a room's power levels change, all its members are looked at again.
// - A name in a room, or the reason of a knock, is shown also after it was redacted: Synapse redacts events as it reads
//   them, and leaves these tables as they are.
// - These maps were also tried with Synapse 1.95 and 1.163 themselves, over an upgrade from one to the other.
import { defineTables } from "im-admin/tables";

/** A value of an event, unless the event has U+0000, which PostgreSQL cannot read from JSON. */
const value = (path = "") =>
  `CASE WHEN strpos(event_json.json, '\\u0000') = 0 THEN event_json.json::json #>> ${path} END`;
const member = (column = "") =>
  `(SELECT member.${column} FROM public.room_memberships AS member WHERE member.event_id = current_state_events.event_id)`;
const stats = (column = "") =>
  `(SELECT state.${column} FROM public.room_stats_state AS state WHERE state.room_id = rooms.room_id)`;
const profile = (column = "") =>
  `(SELECT profile.${column} FROM public.profiles AS profile WHERE profile.full_user_id = users.name)`;

export default defineTables({
  users: {
    from: "public.users",
    key: { userID: "name" },
    fields: {
      nickname: profile("displayname"),
      faceURL: profile("avatar_url"),
      appMangerLevel: "CASE WHEN user_type = 'bot' AND deactivated = 0 THEN 4 WHEN admin = 1 THEN 2 ELSE 1 END",
    },
    also: [{ table: "public.profiles", key: { userID: "full_user_id" } }],
  },
  groups: {
    from: "public.rooms",
    key: { groupID: "room_id" },
    fields: {
      groupName: stats("name"),
      introduction: stats("topic"),
      faceURL: stats("avatar"),
      createTime: `(SELECT events.origin_server_ts
        FROM public.current_state_events AS state JOIN public.events ON events.event_id = state.event_id
        WHERE state.room_id = rooms.room_id AND state.type = 'm.room.create' AND state.state_key = '')`,
      creatorUserID: "creator",
      status:
        "CASE WHEN EXISTS (SELECT FROM public.blocked_rooms AS blocked WHERE blocked.room_id = rooms.room_id) THEN 1 ELSE 0 END",
    },
  },
  groupMembers: {
    from: "public.current_state_events",
    key: { groupID: "room_id", userID: "state_key" },
    where: "type = 'm.room.member' AND membership = 'join'",
    fields: {
      nickname: member("display_name"),
      faceURL: member("avatar_url"),
      roleLevel: `CASE
        WHEN EXISTS (SELECT FROM public.rooms WHERE rooms.room_id = current_state_events.room_id
          AND rooms.room_version = '12' AND rooms.creator = current_state_events.state_key) THEN 100
        ELSE coalesce((SELECT CASE WHEN levels.power >= 100 THEN 100 WHEN levels.power >= 50 THEN 60 ELSE 20 END FROM (
          SELECT substring(coalesce(
              ${value("ARRAY['content', 'users', current_state_events.state_key]")},
              ${value("'{content,users_default}'")}, '0') FROM '^-?[0-9]{1,18}')::bigint AS power
            FROM public.current_state_events AS state JOIN public.event_json ON event_json.event_id = state.event_id
            WHERE state.room_id = current_state_events.room_id AND state.type = 'm.room.power_levels' AND state.state_key = ''
        ) AS levels), 20) END`,
    },
    also: [
      { table: "public.room_memberships", key: { groupID: "room_id", userID: "user_id" } },
      { table: "public.rooms", key: { groupID: "room_id" } },
      {
        table: "public.current_state_events",
        key: { groupID: { sql: "CASE type WHEN 'm.room.power_levels' THEN room_id ELSE '' END" } },
      },
      {
        table: "public.event_json",
        key: { groupID: { sql: `CASE WHEN strpos(json, '"m.room.power_levels"') > 0 THEN room_id ELSE '' END` } },
      },
    ],
  },
  blacks: { from: "public.ignored_users", key: { ownerUserID: "ignorer_user_id", blackUserID: "ignored_user_id" } },
  groupRequests: {
    from: "public.current_state_events",
    key: { groupID: "room_id", userID: "state_key" },
    where: "type = 'm.room.member' AND membership = 'knock'",
    fields: {
      reqMsg: `(SELECT ${value("'{content,reason}'")} FROM public.event_json
        WHERE event_json.event_id = current_state_events.event_id)`,
    },
  },
  conversations: "empty",
});
