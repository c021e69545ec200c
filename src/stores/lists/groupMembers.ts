import { groupMember } from "../../items.js";
import type { GroupMember } from "../../model.js";
import { ascending, descending, list, sources } from "./list.js";

/** The members of a group. */
export const groupMembers = list<GroupMember, "groupMembers">({
  name: "groupMembers",
  table: "groupMembers",
  owner: "groupID",
  order: [descending("roleLevel"), ascending("joinTime"), ascending("userID")],
  isSearched: true,
  parent: "groups",
  item: {
    profile: "userID",
    fields: sources("groupMembers", groupMember, "row", {
      nickname: "rowOrProfile",
      faceURL: "rowOrProfile",
      appMangerLevel: "profile",
    }),
  },
});
