import { blacks } from "./blacks.js";
import { groupMembers } from "./groupMembers.js";
import { groupRequests, groupRequestsByResult } from "./groupRequests.js";
import { joinedGroups } from "./joinedGroups.js";
import type { ListDefinition } from "./list.js";
import { notificationAccounts, notificationAccountsByLevel } from "./notificationAccounts.js";

/** All counted lists. */
export const lists: readonly ListDefinition[] = [
  groupMembers,
  joinedGroups,
  blacks,
  groupRequests,
  groupRequestsByResult,
  notificationAccounts,
  notificationAccountsByLevel,
];
