// Zulip
//
// Lists show channels, archived ones with `status` 2. A channel's ID here is its recipient, since subscriptions name that.
// Owners and administrators of the organization have `appMangerLevel` 2, and bots 4.
//
// - All members have level 20: who may administer a channel is a group of groups in Zulip.
// - The tables of all organizations of a server are the same, so IDs and the list of notification accounts are those of all.
// - Zulip keeps the time of a subscription in its audit log alone: members are in the order of their IDs.
import { defineTables } from "im-admin/tables";

export default defineTables({
  users: {
    from: "public.zerver_userprofile",
    key: { userID: "id" },
    fields: {
      nickname: "full_name",
      appMangerLevel: "CASE WHEN is_bot AND is_active THEN 4 WHEN role <= 200 THEN 2 ELSE 1 END",
    },
  },
  groups: {
    from: "public.zerver_stream",
    key: { groupID: "recipient_id" },
    fields: {
      groupName: "name",
      introduction: "description",
      createTime: "(extract(epoch FROM date_created) * 1000)::bigint",
      creatorUserID: "creator_id",
      status: "CASE WHEN deactivated THEN 2 ELSE 0 END",
    },
  },
  groupMembers: {
    from: "public.zerver_subscription",
    key: { groupID: "recipient_id", userID: "user_profile_id" },
    where: `active AND is_user_active AND EXISTS (
      SELECT FROM public.zerver_recipient AS recipient WHERE recipient.id = zerver_subscription.recipient_id AND recipient.type = 2)`,
    fields: { roleLevel: "20" },
    also: [{ table: "public.zerver_recipient", key: { groupID: "id" } }],
  },
  blacks: {
    from: "public.zerver_muteduser",
    key: { ownerUserID: "user_profile_id", blackUserID: "muted_user_id" },
    fields: { createTime: "(extract(epoch FROM date_muted) * 1000)::bigint" },
  },
  groupRequests: "empty",
  conversations: "empty",
});
