import type { Group } from "../../model.js";
import { ascending, descending, list } from "./list.js";
import { group } from "./profiles.js";

/** The groups that a user is a member of. */
export const joinedGroups = list<Group, "groupMembers">({
  name: "joinedGroups",
  table: "groupMembers",
  owner: "userID",
  order: [descending("joinTime"), ascending("groupID")],
  parent: "users",
  item: { group: "groupID", fields: group },
});
