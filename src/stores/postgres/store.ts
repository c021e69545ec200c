import type { BundledStore } from "../sqlite/store.js";
import type { PostgresPool } from "./database.js";
import {
  readBlacks,
  readGroupMembers,
  readJoinedGroups,
  readNotificationAccounts,
  readReceivedGroupRequests,
} from "./pages/readLists.js";
import { setConversations } from "./records/setConversations.js";
import { conversations, put, remove } from "./records/write.js";
import type { Sql } from "./sql.js";

/** Makes the store of a schema that {@link migrate} has prepared. */
export function storeOf(pool: PostgresPool, readPool: PostgresPool, schema: Sql): BundledStore {
  const source = { pool: readPool, schema };
  return {
    listGroupMembers: (query) => readGroupMembers(source, query),
    listBlacks: (query) => readBlacks(source, query),
    listJoinedGroups: (query) => readJoinedGroups(source, query),
    listReceivedGroupRequests: (query) => readReceivedGroupRequests(source, query),
    listNotificationAccounts: (query) => readNotificationAccounts(source, query),
    setConversations: (change) => setConversations(pool, schema, change),
    put: (records) => put(pool, schema, records),
    remove: (keys) => remove(pool, schema, keys),
    conversations: (ownerUserID) => conversations(pool, schema, ownerUserID),
    close: async () => {},
  };
}
