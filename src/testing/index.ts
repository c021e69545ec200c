import { blacksCases } from "./cases/blacks.js";
import { conversationsCases } from "./cases/conversations.js";
import { groupMembersCases } from "./cases/groupMembers.js";
import { groupRequestsCases } from "./cases/groupRequests.js";
import { joinedGroupsCases } from "./cases/joinedGroups.js";
import { notificationAccountsCases } from "./cases/notificationAccounts.js";
import { writesCases } from "./cases/writes.js";
import type { StoreCases } from "./storeCase.js";

export type { OpenStore, StoreCase, StoreCases, StoreUnderTest } from "./storeCase.js";
export { storeWorld } from "./world.js";

/**
 * What a store must do, as cases by the sentence that must hold. They need no test runner: run each with a function
 * that opens a fresh store holding the records that it is given, and report what rejects.
 */
export const storeCases: StoreCases = {
  ...groupMembersCases,
  ...blacksCases,
  ...joinedGroupsCases,
  ...groupRequestsCases,
  ...notificationAccountsCases,
  ...writesCases,
  ...conversationsCases,
};
