import type { GroupMember } from "../../model.js";
import { ascending, descending, list, row } from "./list.js";

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
      groupID: row("groupID"),
      userID: row("userID"),
      roleLevel: row("roleLevel"),
      joinTime: row("joinTime"),
      nickname: { from: "rowOrProfile", column: "nickname" },
      faceURL: { from: "rowOrProfile", column: "faceURL" },
      appMangerLevel: { from: "profile", column: "appMangerLevel", empty: 0 },
      joinSource: row("joinSource"),
      operatorUserID: row("operatorUserID"),
      ex: row("ex"),
      muteEndTime: row("muteEndTime"),
      inviterUserID: row("inviterUserID"),
    },
  },
});
