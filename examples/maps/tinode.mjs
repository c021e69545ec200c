// Tinode
//
// Lists show group topics. The owner has level 100, members with the permission to approve 60, and all others 20. A suspended
// topic has `status` 1, and a deleted one 2. Users are on the blacklist of those who have blocked their chat.
//
// - User IDs are the numbers of the tables. Tinode's API encrypts them with a key of the server: `usr...` is such a number.
// - Members who were banned, or who have banned the topic themselves, are not listed. Readers of a channel (`chn...`) are
//   no members.
// - Tinode refuses who may not join, and stores nothing: there are no join requests. It does not store when a contact was
//   blocked either: blacklists are in the order of the IDs.
import { defineTables } from "im-admin/tables";

/** A text of a public description, unless the description has U+0000, which PostgreSQL cannot read from JSON. */
const described = (path = "") => `CASE WHEN strpos(public::text, '\\u0000') = 0 THEN public #>> '{${path}}' END`;

export default defineTables({
  users: {
    from: "public.users",
    key: { userID: "id" },
    fields: { nickname: described("fn"), faceURL: described("photo,ref") },
  },
  groups: {
    from: "public.topics",
    key: { groupID: "name" },
    where: "name LIKE 'grp%'",
    fields: {
      groupName: described("fn"),
      introduction: described("note"),
      faceURL: described("photo,ref"),
      createTime: "(extract(epoch FROM createdat) * 1000)::bigint",
      status: "CASE state WHEN 20 THEN 2 WHEN 10 THEN 1 ELSE 0 END",
    },
  },
  groupMembers: {
    from: "public.subscriptions",
    key: { groupID: "topic", userID: "userid" },
    where: "topic LIKE 'grp%' AND deletedat IS NULL AND strpos(modewant, 'J') > 0 AND strpos(modegiven, 'J') > 0",
    fields: {
      roleLevel: `CASE WHEN strpos(modewant, 'O') > 0 AND strpos(modegiven, 'O') > 0 THEN 100
        WHEN strpos(modewant, 'A') > 0 AND strpos(modegiven, 'A') > 0 THEN 60 ELSE 20 END`,
      joinTime: "(extract(epoch FROM createdat) * 1000)::bigint",
    },
  },
  blacks: {
    from: `(SELECT own.userid AS owner, peer.userid AS blocked
      FROM public.subscriptions AS own JOIN public.subscriptions AS peer ON peer.topic = own.topic AND peer.userid <> own.userid
      WHERE own.topic LIKE 'p2p%' AND own.deletedat IS NULL AND strpos(own.modewant, 'J') = 0) AS blocked`,
    key: { ownerUserID: "owner", blackUserID: "blocked" },
    also: [
      { table: "public.subscriptions", key: { ownerUserID: "userid" } },
      { table: "public.subscriptions", key: { blackUserID: "userid" } },
    ],
  },
  groupRequests: "empty",
  conversations: "empty",
});
