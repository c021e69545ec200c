import type { GroupRequest } from "../../model.js";
import { ascending, descending, list } from "./list.js";
import { group, userInfo } from "./profiles.js";

/** The fields of a listed join request. */
export const requestItem = {
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
} as const;

/** The order of join requests, the same for a group and for a manager of several groups. */
export const requestOrder = [descending("reqTime"), ascending("groupID"), ascending("userID")] as const;

const ofGroup = {
  table: "groupRequests",
  owner: "groupID",
  isLasting: true,
  parent: "groups",
  item: requestItem,
} as const;

/**
 * The join requests for a group. While these are few, each manager has copies of them. Once this list has a total,
 * managers read it instead, even if it becomes short again: writes near the limit do not make and delete copies each time.
 */
export const groupRequests = list<GroupRequest, "groupRequests">({
  ...ofGroup,
  name: "groupRequests",
  order: requestOrder,
});

/** The same requests, sorted by result first. */
export const groupRequestsByResult = list<GroupRequest, "groupRequests">({
  ...ofGroup,
  name: "groupRequestsByResult",
  order: [ascending("handleResult"), ...requestOrder],
});
