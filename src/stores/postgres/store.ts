import { listOfJson, pageOf, requireFitting } from "../../jsonLists.js";
import type { StoreCall } from "../../store.js";
import type { BundledStore } from "../bundledStore.js";
import { withFollowing } from "../following.js";
import type { PostgresPool } from "./database.js";
import {
  readBlacks,
  readGroupMembers,
  readJoinedGroups,
  readNotificationAccounts,
  readReceivedGroupRequests,
} from "./pages/readLists.js";
import { recordsOf } from "./records/read.js";
import { setConversations } from "./records/setConversations.js";
import { put, remove } from "./records/write.js";
import { settler } from "./settle/settle.js";
import type { Sql } from "./sql.js";
import { followingIn } from "./upkeep/follow.js";

/** Creates the store of a migrated schema. `settles` says whether it settles changes. */
export function storeOf(pool: PostgresPool, readPool: PostgresPool, schema: Sql, settles: boolean): BundledStore {
  const onPending = settles ? settler(pool, schema) : () => {};
  const sourceFor = ({ signal, adminUserID }: StoreCall = {}) => {
    return { readPool, pool, schema, signal, caller: String(adminUserID), onPending };
  };
  const store: BundledStore = {
    listGroupMembers: listOfJson((query, call) => readGroupMembers(sourceFor(call), query)),
    // The operation answers seconds, which it computes from objects.
    listBlacks: async (query, call) => {
      const page = await readBlacks(sourceFor(call), query);
      if (page === undefined) return undefined;
      requireFitting(page, query);
      return pageOf(page);
    },
    listJoinedGroups: listOfJson((query, call) => readJoinedGroups(sourceFor(call), query)),
    listReceivedGroupRequests: listOfJson((query, call) => readReceivedGroupRequests(sourceFor(call), query)),
    listNotificationAccounts: listOfJson((query, call) => readNotificationAccounts(sourceFor(call), query)),
    setConversations: (change, call) => setConversations(pool, schema, change, call),
    put: (records) => put(pool, schema, records),
    remove: (keys) => remove(pool, schema, keys),
    names: async ({ groupIDs, userIDs }) => ({
      groups: await recordsOf(readPool, schema, "groups", groupIDs),
      users: await recordsOf(readPool, schema, "users", userIDs),
    }),
    conversations: (ownerUserID) => recordsOf(pool, schema, "conversations", [ownerUserID]),
    close: async () => {},
  };
  return withFollowing(store, followingIn(pool, schema));
}
