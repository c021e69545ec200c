import type { Black, Group, GroupMember, GroupRequest, NotificationAccount } from "../../model.js";
import type { Records } from "../../records.js";
import type { Store } from "../../store.js";
import { setConversations } from "./conversations.js";
import { defaultSizes } from "./countedLists.js";
import type { SqlDatabase } from "./database.js";
import { readList } from "./list.js";
import {
  blacksList,
  groupMembersList,
  joinedGroupsList,
  notificationAccountsList,
  receivedGroupRequestsList,
} from "./lists.js";
import { conversations, put, remove, type WriteOptions } from "./records.js";

/** A store that im-admin brings: the six methods, how it is filled, and how it is closed. */
export interface BundledStore extends Store, Records {
  /** Gives back what the store holds, such as an open file; it answers no call after that. */
  close(): Promise<void>;
}

/** Makes the store of any engine that speaks SQLite's SQL. */
export function createSqlStore(database: SqlDatabase, options: WriteOptions = { sizes: defaultSizes }): BundledStore {
  return {
    listGroupMembers: (query) => readList<GroupMember>(database, groupMembersList(query), query),
    listBlacks: (query) => readList<Black>(database, blacksList(query), query),
    listJoinedGroups: (query) => readList<Group>(database, joinedGroupsList(query), query),
    listReceivedGroupRequests: (query) => readList<GroupRequest>(database, receivedGroupRequestsList(query), query),
    listNotificationAccounts: async (query) =>
      (await readList<NotificationAccount>(database, notificationAccountsList(query), query)) ?? {
        total: 0,
        items: [],
      },
    setConversations: (change) => setConversations(database, change),
    put: (records) => put(database, records, options),
    remove: (keys) => remove(database, keys),
    conversations: (ownerUserID) => conversations(database, ownerUserID),
    close: () => database.close(),
  };
}
