import { blacksCases } from "./cases/blacks.js";
import { conversationsCases } from "./cases/conversations.js";
import { goneRecordsCases } from "./cases/goneRecords.js";
import { groupMembersCases } from "./cases/groupMembers.js";
import { groupRequestsCases } from "./cases/groupRequests.js";
import { joinedGroupsCases } from "./cases/joinedGroups.js";
import { notificationAccountsCases } from "./cases/notificationAccounts.js";
import { otherLevelsCases } from "./cases/otherLevels.js";
import { writesCases } from "./cases/writes.js";
import { type HostRecords, hostOpening } from "./hostRecords.js";
import type { NamedCases, NamedIDs, OpenStore, StoreCases } from "./storeCase.js";

export type { RecordKeySet, RecordSet, StoredConversation } from "../records.js";
export type { Store } from "../store.js";
export type { HostRecords } from "./hostRecords.js";
export type { OpenStore, StoreCase, StoreCases, StoreUnderTest } from "./storeCase.js";

const strictCases: NamedCases = {
  ...groupMembersCases,
  ...blacksCases,
  ...joinedGroupsCases,
  ...groupRequestsCases,
  ...notificationAccountsCases,
  ...writesCases,
  ...conversationsCases,
};

const sameNames: NamedIDs = { userID: (name) => name, groupID: (name) => name };

function casesOf(cases: NamedCases, ids: NamedIDs, host = (open: OpenStore) => open): StoreCases {
  return Object.fromEntries(
    Object.entries(cases).map(([sentence, run]) => [sentence, (open: OpenStore) => run(host(open), ids)]),
  );
}

/**
 * What a store must do, as cases by the sentence that must hold. They need no test runner: run each with a function
 * that opens a fresh store holding the records that it is given, and report what rejects.
 *
 * Every user and group that a record names is there, before the record; `roleLevel` is 20, 60 or 100, `appMangerLevel`
 * is 0 to 4, `handleResult` is -1, 0 or 1, and times end with the year 9999. A schema with foreign keys and checks may
 * hold as much.
 *
 * What has bitten others: strings are ordered bytewise, which PostgreSQL does where a column or an ORDER BY says
 * `COLLATE "C"`; `lower()` folds only ASCII letters under the same collation; and drivers may give a 64-bit integer,
 * such as a time or `count(*)`, as text or as bigint, where a store must answer numbers.
 */
export const storeCases: StoreCases = casesOf(strictCases, sameNames);

/**
 * {@link storeCases} for a store whose users and groups have IDs of another kind, such as uuids or numbers, and that may
 * lack fields that are only shown. The cases, their sentences and what `open` gets stay as they are, but for the IDs.
 *
 * @throws TypeError for a field that is not only shown
 */
export function storeCasesFor(host: HostRecords): StoreCases {
  return casesOf(strictCases, host, hostOpening(host));
}

/**
 * What a store must do, beside {@link storeCases}, whose tables take more than foreign keys and checks allow: records
 * that name users and groups that are not there, and other levels and results. They are for stores such as the bundled
 * ones; a store that cannot hold such records needs none of them.
 */
export const toleranceCases: StoreCases = casesOf({ ...goneRecordsCases, ...otherLevelsCases }, sameNames);
