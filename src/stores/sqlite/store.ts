import { checkedRecords } from "../../checkedRecords.js";
import { listOfJson } from "../../jsonLists.js";
import type { RecordKeySet, RecordName, RecordSet } from "../../records.js";
import type { ConversationChange, ConversationChangeResult, StoreCall } from "../../store.js";
import type { BundledStore } from "../bundledStore.js";
import { answering, partsHere } from "./answer.js";
import type { SqlDatabase } from "./database.js";
import { mappedDatabase } from "./map/mapped.js";
import type { Read } from "./reads.js";
import { recordsOf } from "./records/read.js";
import { setConversations } from "./records/setConversations.js";
import { type PutStatements, put, putOneByOne, remove } from "./records/write.js";
import { recovering } from "./recovery.js";
import { defaultSizes, type Sizes } from "./schema/sizes.js";

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
  database: SqlDatabase,
  putStatements: PutStatements = putOneByOne,
  sizes = defaultSizes,
): BundledStore {
  const answer = answering(database, sizes, partsHere(database, sizes));
  return storeOf(answer, writesOf(database, sizes, putStatements), database, () => database.close());
}

/** Creates a store on an engine, which may have tables of a host. */
export function storeOn(engine: SqlDatabase): BundledStore {
  return createSqlStore(recovering(mappedDatabase(engine)));
}

/** Creates a store from how it answers pages and writes. */
export function storeOf(
  answer: Read,
  { setConversations, put, remove }: Writes,
  database: SqlDatabase,
  close: () => Promise<void>,
): BundledStore {
  async function stored<Name extends RecordName>(record: Name, ids: readonly string[]) {
    await database.lookAtSchema?.();
    return recordsOf(database, record, ids);
  }
  return {
    listGroupMembers: listOfJson((query, call) => answer("listGroupMembers", query, call)),
    listBlacks: listOfJson(
      (query, call) => answer("listBlacks", query, call),
      (query, call) => answer("listBlacks", { ...query, unit: 1000 }, call),
    ),
    listJoinedGroups: listOfJson((query, call) => answer("listJoinedGroups", query, call)),
    listReceivedGroupRequests: listOfJson((query, call) => answer("listReceivedGroupRequests", query, call)),
    // This list has no parent that might not exist.
    listNotificationAccounts: listOfJson(
      async (query, call) => (await answer("listNotificationAccounts", query, call)) ?? { total: 0, items: "[]" },
    ),
    setConversations,
    put,
    remove,
    names: async ({ groupIDs, userIDs }) => ({
      groups: await stored("groups", groupIDs),
      users: await stored("users", userIDs),
    }),
    conversations: (ownerUserID) => stored("conversations", [ownerUserID]),
    close,
  };
}
