import type { GroupRequest } from "../../model.js";
import { requestItem, requestOrder } from "./groupRequests.js";
import { ascending, list } from "./list.js";

/** The roles whose members manage their group. */
export const managingRoles = [60, 100] as const;

const received = {
  table: "receivedGroupRequests",
  owner: "managerUserID",
  parent: "users",
  item: requestItem,
} as const;

/** A manager's copies of the join requests for groups with few requests. */
export const receivedGroupRequests = list<GroupRequest, "receivedGroupRequests">({
  ...received,
  name: "receivedGroupRequests",
  order: requestOrder,
});

/** The same copies, sorted by result first. */
export const receivedGroupRequestsByResult = list<GroupRequest, "receivedGroupRequests">({
  ...received,
  name: "receivedGroupRequestsByResult",
  order: [ascending("handleResult"), ...requestOrder],
});
