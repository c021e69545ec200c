import { checkedRecords } from "../../checkedRecords.js";
import { listOfJson } from "../../jsonLists.js";
import type { RecordKeySet, RecordSet } from "../../records.js";
import type { ConversationChange, ConversationChangeResult, StoreCall } from "../../store.js";
import type { BundledStore } from "../bundledStore.js";
import type { SqlDatabase } from "./database.js";
import { type Reads, readsOf } from "./reads.js";
import { recordsOf } from "./records/read.js";
import { setConversations } from "./records/setConversations.js";
import { type PutStatements, put, putOneByOne, remove } from "./records/write.js";
import { defaultSizes, type Sizes } from "./schema/sizes.js";
import { type SettledDatabase, settledReads } from "./settledReads.js";

/** The functions that write a store's records. */
export interface Writes {
  setConversations(change: ConversationChange, call?: StoreCall): Promise<ConversationChangeResult>;
  put(records: RecordSet): Promise<void>;
  remove(keys: RecordKeySet): Promise<void>;
}

export function writesOf(database: SqlDatabase, sizes: Sizes, putStatements: PutStatements): Writes {
  return {
    setConversations: (change, call) => setConversations(database, change, call),
    put: async (records) => put(database, sizes, checkedRecords(records), putStatements),
    remove: (keys) => remove(database, sizes, keys),
  };
}

/** Creates a store on a driver. `putStatements` says how it puts records. */
export function createSqlStore(
  database: SettledDatabase,
  putStatements: PutStatements = putOneByOne,
  sizes = defaultSizes,
): BundledStore {
  const reads = settledReads(readsOf(database), database, sizes);
  return storeOf(reads, writesOf(database, sizes, putStatements), database, () => database.close());
}

/** Creates a store from its functions that read and write. */
export function storeOf(reads: Reads, writes: Writes, database: SqlDatabase, close: () => Promise<void>): BundledStore {
  return {
    listGroupMembers: listOfJson(reads.listGroupMembers),
    listBlacks: listOfJson(reads.listBlacks, (query, call) => reads.listBlacks({ ...query, unit: 1000 }, call)),
    listJoinedGroups: listOfJson(reads.listJoinedGroups),
    listReceivedGroupRequests: listOfJson(reads.listReceivedGroupRequests),
    // This list has no parent that might not exist.
    listNotificationAccounts: listOfJson(
      async (query, call) => (await reads.listNotificationAccounts(query, call)) ?? { total: 0, items: "[]" },
    ),
    ...writes,
    names: async ({ groupIDs, userIDs }) => ({
      groups: await recordsOf(database, "groups", groupIDs),
      users: await recordsOf(database, "users", userIDs),
    }),
    conversations: (ownerUserID) => recordsOf(database, "conversations", [ownerUserID]),
    close,
  };
}
