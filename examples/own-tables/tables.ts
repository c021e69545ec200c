import { defineTables } from "im-admin/tables";

/** The map of the chat server's tables. An ID begins with its tenant: `acme:7`. */
export default defineTables({
  users: {
    from: "chat.person",
    key: { userID: ["tenant_id", "id"] },
    where: "deleted_at IS NULL",
    fields: {
      nickname: "display_name",
      faceURL: "(SELECT url FROM chat.avatar WHERE avatar.person_id = person.id)",
    },
  },
  groups: {
    from: "chat.room",
    key: { groupID: ["tenant_id", "id"] },
    where: "NOT archived",
    fields: { groupName: "title" },
  },
  groupMembers: {
    from: "chat.membership",
    key: { groupID: ["tenant_id", "room_id"], userID: ["tenant_id", "person_id"] },
    where: "left_at IS NULL",
    fields: {
      roleLevel: "CASE role WHEN 'owner' THEN 100 WHEN 'admin' THEN 60 ELSE 20 END",
      joinTime: "(extract(epoch FROM joined_at) * 1000)::bigint",
    },
  },
  blacks: "empty",
  groupRequests: "empty",
  conversations: "empty",
});
