// Dendrite
//
// Lists show all rooms that the server knows, with the members from other servers. Names, levels and
// knocks are as in Synapse. Dendrite's parts must share one database, as in its sample configuration.
//
// - Dendrite has no call by which its own users knock: knocks come from other servers.
// - Dendrite has an index by type and user, so `im-admin tables` need not find one that begins with `state_key`.
// - A member's join time is not stored: members of a level are in the order of their IDs.
import { defineTables } from "im-admin/tables";

/** A value of an event, unless the event has U+0000, which PostgreSQL cannot read from JSON. */
const value = (event = "", path = "") =>
  `CASE WHEN strpos(${event}.headered_event_json, '\\u0000') = 0 THEN ${event}.headered_event_json::json #>> ${path} END`;
const own = (path = "") => value("syncapi_current_room_state", path);
const ofRoom = (type = "", path = "") =>
  `(SELECT ${value("state", path)} FROM public.syncapi_current_room_state AS state
    WHERE state.room_id = roomserver_rooms.room_id AND state.type = '${type}' AND state.state_key = '')`;
const profile = (column = "") =>
  `(SELECT profile.${column} FROM public.userapi_profiles AS profile
    WHERE profile.localpart = userapi_accounts.localpart AND profile.server_name = userapi_accounts.server_name)`;
const userID = { sql: "'@' || localpart || ':' || server_name" };
const ignored = "ignores_json::json -> 'ignored_users'";

export default defineTables({
  users: {
    from: "public.userapi_accounts",
    key: { userID },
    fields: {
      nickname: profile("display_name"),
      faceURL: profile("avatar_url"),
      appMangerLevel:
        "CASE WHEN account_type = 4 AND NOT is_deactivated THEN 4 WHEN account_type = 3 THEN 2 ELSE 1 END",
    },
    also: [{ table: "public.userapi_profiles", key: { userID } }],
  },
  groups: {
    from: "public.roomserver_rooms",
    key: { groupID: "room_id" },
    fields: {
      groupName: ofRoom("m.room.name", "'{content,name}'"),
      introduction: ofRoom("m.room.topic", "'{content,topic}'"),
      faceURL: ofRoom("m.room.avatar", "'{content,url}'"),
      createTime: `substring(${ofRoom("m.room.create", "'{origin_server_ts}'")} FROM '^[0-9]{1,15}')::bigint`,
      creatorUserID: ofRoom("m.room.create", "'{sender}'"),
    },
  },
  groupMembers: {
    from: "public.syncapi_current_room_state",
    key: { groupID: "room_id", userID: "state_key" },
    where: "type = 'm.room.member' AND membership = 'join'",
    fields: {
      nickname: own("'{content,displayname}'"),
      faceURL: own("'{content,avatar_url}'"),
      roleLevel: `coalesce((SELECT CASE WHEN levels.power >= 100 THEN 100 WHEN levels.power >= 50 THEN 60 ELSE 20 END FROM (
        SELECT substring(coalesce(
            ${value("state", "ARRAY['content', 'users', syncapi_current_room_state.state_key]")},
            ${value("state", "'{content,users_default}'")}, '0') FROM '^-?[0-9]{1,18}')::bigint AS power
          FROM public.syncapi_current_room_state AS state
          WHERE state.room_id = syncapi_current_room_state.room_id AND state.type = 'm.room.power_levels' AND state.state_key = ''
        ) AS levels), 20)`,
    },
    also: [
      {
        table: "public.syncapi_current_room_state",
        key: { groupID: { sql: "CASE type WHEN 'm.room.power_levels' THEN room_id ELSE '' END" } },
      },
    ],
  },
  blacks: {
    from: `(SELECT list.user_id, ignored.ignored_id FROM public.syncapi_ignores AS list, json_object_keys(CASE
        WHEN strpos(ignores_json, '\\u0000') = 0 AND json_typeof(${ignored}) = 'object' THEN ${ignored} END) AS ignored (ignored_id)
      ) AS ignored`,
    key: { ownerUserID: "user_id", blackUserID: "ignored_id" },
    also: [{ table: "public.syncapi_ignores", key: { ownerUserID: "user_id" } }],
  },
  groupRequests: {
    from: "public.syncapi_current_room_state",
    key: { groupID: "room_id", userID: "state_key" },
    where: "type = 'm.room.member' AND membership = 'knock'",
    fields: { reqMsg: own("'{content,reason}'") },
  },
  conversations: "empty",
});
