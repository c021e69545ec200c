import { listOfJson } from "../../jsonLists.js";
import type { Records } from "../../records.js";
import type { Store } from "../../store.js";
import type { SqlDatabase } from "./database.js";
import {
  readAnsweredBlacks,
  readBlacks,
  readGroupMembers,
  readJoinedGroups,
  readNotificationAccounts,
  readReceivedGroupRequests,
} from "./pages/readLists.js";
import { setConversations } from "./records/setConversations.js";
import { conversations, type PutStatements, put, putOneByOne, remove } from "./records/write.js";
import { searchGroupMembers } from "./search/read.js";
import { searchNotificationAccounts } from "./search/readAccounts.js";

/** A store that im-admin brings: the six methods, how it is filled, and how it is closed. */
export interface BundledStore extends Store, Records {
  /** Gives back what the store holds, such as an open file; it answers no call after that. */
  close(): Promise<void>;
}

/** Makes the store of any engine that speaks SQLite's SQL, and has a way to put records. */
export function createSqlStore(database: SqlDatabase, putStatements: PutStatements = putOneByOne): BundledStore {
  return {
    listGroupMembers: listOfJson((query) =>
      (query.keyword === "" ? readGroupMembers : searchGroupMembers)(database, query),
    ),
    listBlacks: listOfJson(
      (query) => readBlacks(database, query),
      (query) => readAnsweredBlacks(database, query),
    ),
    listJoinedGroups: listOfJson((query) => readJoinedGroups(database, query)),
    listReceivedGroupRequests: listOfJson((query) => readReceivedGroupRequests(database, query)),
    listNotificationAccounts: listOfJson(async (query) => {
      const read = query.keyword === "" ? readNotificationAccounts : searchNotificationAccounts;
      return (await read(database, query)) ?? { total: 0, items: "[]" };
    }),
    setConversations: (change) => setConversations(database, change),
    put: (records) => put(database, records, putStatements),
    remove: (keys) => remove(database, keys),
    conversations: (ownerUserID) => conversations(database, ownerUserID),
    close: () => database.close(),
  };
}
