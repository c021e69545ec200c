import type { GroupMember } from "../../model.js";
import { ascending, descending, list } from "./list.js";

/** The members of a group. */
export const groupMembers = list<GroupMember, "groupMembers">({
  name: "groupMembers",
  table: "groupMembers",
  owner: "groupID",
  order: [descending("roleLevel"), ascending("joinTime"), ascending("userID")],
  covers: ["userID"],
  parent: "groups",
  item: {
    profile: "userID",
    fields: {
      groupID: "row",
      userID: "row",
      roleLevel: "row",
      joinTime: "row",
      nickname: "rowOrProfile",
      faceURL: "rowOrProfile",
      appMangerLevel: "profile",
      joinSource: "row",
      operatorUserID: "row",
      ex: "row",
      muteEndTime: "row",
      inviterUserID: "row",
    },
  },
});
