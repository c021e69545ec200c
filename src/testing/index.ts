import { blacksCases } from "./cases/blacks.js";
import { conversationsCases } from "./cases/conversations.js";
import { goneRecordsCases } from "./cases/goneRecords.js";
import { groupMembersCases } from "./cases/groupMembers.js";
import { groupRequestsCases } from "./cases/groupRequests.js";
import { joinedGroupsCases } from "./cases/joinedGroups.js";
import { notificationAccountsCases } from "./cases/notificationAccounts.js";
import { otherLevelsCases } from "./cases/otherLevels.js";
import { writesCases } from "./cases/writes.js";
import type { StoreCases } from "./storeCase.js";

export type { RecordKeySet, RecordSet, StoredConversation } from "../records.js";
export type { OpenStore, StoreCase, StoreCases, StoreUnderTest } from "./storeCase.js";

/**
 * What a store must do, as cases by the sentence that must hold. They need no test runner: run each with a function
 * that opens a fresh store holding the records that it is given, and report what rejects.
 *
 * Every user and group that a record names is there, before the record; `roleLevel` is 20, 60 or 100, `appMangerLevel`
 * is 0 to 4, `handleResult` is -1, 0 or 1, and times are 0 to 10^16 - 1. A schema with foreign keys and checks may
 * hold as much.
 *
 * What has bitten others: strings are ordered bytewise, which PostgreSQL does where a column or an ORDER BY says
 * `COLLATE "C"`; `lower()` folds only ASCII letters under the same collation; and drivers may give a 64-bit integer,
 * such as a time or `count(*)`, as text or as bigint, where a store must answer numbers.
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

/**
 * What a store must do, beside {@link storeCases}, whose tables take more than foreign keys and checks allow: records
 * that name users and groups that are not there, and other levels and results. They are for stores such as the bundled
 * ones; a store that cannot hold such records needs none of them.
 */
export const toleranceCases: StoreCases = { ...goneRecordsCases, ...otherLevelsCases };
