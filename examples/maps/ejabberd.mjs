// ejabberd
//
// Lists show the rooms that ejabberd stores, with their subscribers (MUC/Sub). A room's ID is `name@host`. Owners have
// level 100, administrators 60, and all others 20. Contacts that a user has blocked (XEP-0191) are in the user's default privacy list.
//
// - The map is for the schema of several hosts, whose tables have `server_host` (`sql_schema_multihost`). For the other one,
//   write `{ sql: "username || '@example.org'" }` in the place of `["username", "server_host"]`, the same with `lusername`,
//   leave `server_host` out of the conditions, and make the index on `users` that `im-admin tables` then names.
// - `users` has a row for each kind of password of an account. With `latest`, only the row with the highest kind counts.
// - Affiliations are within a text that ejabberd writes for itself. The map finds those of names in ASCII, and shows
//   other owners and administrators with level 20. In the same way, a title beyond ASCII is shown as the room's name.
// - People who are in a room without a subscription are not listed: ejabberd stores them only while they are there.
// - `created_at` is in the time zone of ejabberd's sessions. Set it to UTC, or join times are off by as much.
import { defineTables } from "im-admin/tables";

/** Whether the stored options of a room, which are terms of Erlang, give this affiliation to the subscriber. */
const has = (affiliation = "") => {
  const key = `'{{<<"' || replace(jid, '@', '">>,<<"') || '">>,<<>>},'`;
  return `EXISTS (SELECT FROM public.muc_room AS stored WHERE stored.name = room AND stored.host = muc_room_subscribers.host
    AND (strpos(stored.opts, ${key} || '${affiliation}') > 0 OR strpos(stored.opts, ${key} || '{${affiliation},') > 0))`;
};

export default defineTables({
  separator: "@",
  users: {
    from: "public.users",
    key: { userID: ["username", "server_host"] },
    latest: "type",
    fields: {
      nickname: `(SELECT coalesce(nullif(card.nickname, ''), card.fn) FROM public.vcard_search AS card
        WHERE card.server_host = users.server_host AND card.lusername = users.username)`,
    },
    also: [{ table: "public.vcard_search", key: { userID: ["lusername", "server_host"] } }],
  },
  groups: {
    from: "public.muc_room",
    key: { groupID: ["name", "host"] },
    fields: { groupName: `coalesce(substring(opts FROM '{title,<<"([^"]+)">>}'), name)` },
  },
  groupMembers: {
    from: "public.muc_room_subscribers",
    key: { groupID: ["room", "host"], userID: "jid" },
    fields: {
      roleLevel: `CASE WHEN ${has("owner")} THEN 100 WHEN ${has("admin")} THEN 60 ELSE 20 END`,
      joinTime: "(extract(epoch FROM created_at) * 1000)::bigint",
      nickname: "nick",
    },
    also: [{ table: "public.muc_room", key: { groupID: ["name", "host"] } }],
  },
  blacks: {
    from: `(SELECT list.username, list.server_host, item.value AS jid, item.ord
      FROM public.privacy_list AS list JOIN public.privacy_list_data AS item ON item.id = list.id
      WHERE list.name = (SELECT active.name FROM public.privacy_default_list AS active
          WHERE active.server_host = list.server_host AND active.username = list.username)
        AND item.t = 'j' AND item.action = 'd'
        AND (item.match_all OR item.match_iq AND item.match_message AND item.match_presence_in AND item.match_presence_out)
      ) AS blocked`,
    key: { ownerUserID: ["username", "server_host"], blackUserID: "jid" },
    latest: "ord",
    also: [
      { table: "public.privacy_default_list", key: { ownerUserID: ["username", "server_host"] } },
      { table: "public.privacy_list", key: { ownerUserID: ["username", "server_host"] } },
      { table: "public.privacy_list_data", key: { blackUserID: "value" } },
    ],
  },
  groupRequests: "empty",
  conversations: "empty",
});
