import type { GroupRequest } from "../../model.js";
import { ascending, descending, list } from "./list.js";
import { group, userInfo } from "./profiles.js";

/** The roles whose members manage their group. */
export const managingRoles = [60, 100] as const;

const received = {
  table: "receivedGroupRequests",
  owner: "managerUserID",
  parent: "users",
  item: {
    profile: "userID",
    group: "groupID",
    fields: {
      userInfo: userInfo("userID"),
      groupInfo: group,
      handleResult: "row",
      reqMsg: "row",
      handleMsg: "row",
      reqTime: "row",
      handleUserID: "row",
      handleTime: "row",
      ex: "row",
      joinSource: "row",
      inviterUserID: "row",
    },
  },
} as const;

const order = [descending("reqTime"), ascending("groupID"), ascending("userID")] as const;

/** Join requests for the groups that a user manages. */
export const receivedGroupRequests = list<GroupRequest, "receivedGroupRequests">({
  ...received,
  name: "receivedGroupRequests",
  order,
});

/** The same requests, sorted by result first. */
export const receivedGroupRequestsByResult = list<GroupRequest, "receivedGroupRequests">({
  ...received,
  name: "receivedGroupRequestsByResult",
  order: [ascending("handleResult"), ...order],
});
