import { blacksCases } from "./cases/blacks.js";
import { conversationsCases } from "./cases/conversations.js";
import { goneRecordsCases } from "./cases/goneRecords.js";
import { groupMembersCases } from "./cases/groupMembers.js";
import { groupRequestsCases } from "./cases/groupRequests.js";
import { joinedGroupsCases } from "./cases/joinedGroups.js";
import { namesCases } from "./cases/names.js";
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
  ...namesCases,
};

const sameNames: NamedIDs = { userID: (name) => name, groupID: (name) => name };

function casesOf(cases: NamedCases, ids: NamedIDs, host = (open: OpenStore) => open): StoreCases {
  return Object.fromEntries(
    Object.entries(cases).map(([sentence, run]) => [sentence, (open: OpenStore) => run(host(open), ids)]),
  );
}

/**
 * Cases that test what a store must do, by the sentence that must hold. They need no test runner. Run each with a
 * function that opens a new store with exactly the given records, and report each rejection.
 *
 * The records fit a schema with foreign keys and checks: each user and group exists before a record refers to it,
 * `roleLevel` is 20, 60 or 100, `appMangerLevel` is 0 to 4, `handleResult` is -1, 0 or 1, and times end with the year
 * 9999.
 *
 * Three mistakes are common. Strings must be ordered bytewise: in PostgreSQL, write `COLLATE "C"` at the column or in
 * ORDER BY. With the same collation, `lower()` changes only ASCII letters, as a keyword needs. A store must answer
 * numbers, but some drivers return a 64-bit integer, such as a time or `count(*)`, as text or bigint.
 */
export const storeCases: StoreCases = casesOf(strictCases, sameNames);

/**
 * {@link storeCases} for a store whose IDs are of another kind, such as uuids or numbers, and that may lack fields that
 * are only shown. Only the IDs change: the cases, their sentences and the records for `open` are the same.
 *
 * @throws TypeError if `host.fields` has a field that is not only shown
 */
export function storeCasesFor(host: HostRecords): StoreCases {
  return casesOf(strictCases, host, hostOpening(host));
}

/**
 * More cases, for a store without foreign keys and checks of levels, such as the bundled ones. They have records that
 * refer to users and groups that do not exist, and other levels and results. Leave them out if your store cannot hold
 * such records.
 */
export const toleranceCases: StoreCases = casesOf({ ...goneRecordsCases, ...otherLevelsCases }, sameNames);
