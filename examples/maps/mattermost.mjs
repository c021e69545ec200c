// Mattermost
//
// Lists show public and private channels, archived ones with `status` 2. Channel administrators have level 60, all others
// 20. System administrators have `appMangerLevel` 2, and bots 4.
//
// - Mattermost's own counts leave out members whose accounts are deactivated. These lists have them, as the table does.
// - Join times are in `channelmemberhistory`. Members from before Mattermost 4.3 have none there: they have the time 0, and
//   are in the order of their IDs.
// - A post and a read mark change columns that this map does not read, so they cost nothing.
import { defineTables } from "im-admin/tables";

export default defineTables({
  users: {
    from: "public.users",
    key: { userID: "id" },
    fields: {
      nickname: "coalesce(nullif(nickname, ''), username)",
      appMangerLevel: `CASE
        WHEN deleteat = 0 AND EXISTS (SELECT FROM public.bots WHERE bots.userid = users.id) THEN 4
        WHEN roles LIKE '%system_admin%' THEN 2 ELSE 1 END`,
    },
    also: [{ table: "public.bots", key: { userID: "userid" } }],
  },
  groups: {
    from: "public.channels",
    key: { groupID: "id" },
    where: "type IN ('O', 'P')",
    fields: {
      groupName: "displayname",
      introduction: "purpose",
      notification: "header",
      createTime: "createat",
      creatorUserID: "creatorid",
      status: "CASE WHEN deleteat > 0 THEN 2 ELSE 0 END",
    },
  },
  groupMembers: {
    from: "public.channelmembers",
    key: { groupID: "channelid", userID: "userid" },
    where:
      "EXISTS (SELECT FROM public.channels WHERE channels.id = channelmembers.channelid AND channels.type IN ('O', 'P'))",
    fields: {
      roleLevel: "CASE WHEN schemeadmin THEN 60 ELSE 20 END",
      joinTime: `(SELECT max(history.jointime) FROM public.channelmemberhistory AS history
        WHERE history.channelid = channelmembers.channelid AND history.userid = channelmembers.userid)`,
    },
    also: [
      { table: "public.channels", key: { groupID: "id" } },
      { table: "public.channelmemberhistory", key: { groupID: "channelid", userID: "userid" } },
    ],
  },
  blacks: "empty",
  groupRequests: "empty",
  conversations: "empty",
});
