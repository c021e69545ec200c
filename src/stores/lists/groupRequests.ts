import { groupRequest } from "../../items.js";
import type { GroupRequest } from "../../model.js";
import { ascending, descending, type ListDefinition, list, sources } from "./list.js";
import { group, userInfo } from "./profiles.js";

/** The fields of a listed join request. */
export const requestItem = {
  profile: "userID",
  group: "groupID",
  fields: sources("groupRequests", groupRequest, "row", { userInfo: userInfo("userID"), groupInfo: group }),
} as const;

/** The order of join requests, the same for a group and for a manager of several groups. */
export const requestOrder = [descending("reqTime"), ascending("groupID"), ascending("userID")] as const;

const ofGroup = {
  table: "groupRequests",
  owner: "groupID",
  parent: "groups",
  item: requestItem,
} as const;

/** The join requests for a group. A manager's list merges those of all groups that the user manages. */
export const groupRequests = list<GroupRequest, "groupRequests">({
  ...ofGroup,
  name: "groupRequests",
  order: requestOrder,
});

/** The join requests for all groups that a user manages. It is merged of their lists when it is read. */
export const receivedGroupRequests: ListDefinition<GroupRequest> = { ...groupRequests, parent: "users" };

/** The same requests, in a list for each result. */
export const groupRequestsByResult = list<GroupRequest, "groupRequests">({
  ...ofGroup,
  name: "groupRequestsByResult",
  dividedBy: "handleResult",
  order: requestOrder,
});

/** The roles whose members manage their group. */
export const managingRoles = [60, 100] as const;
