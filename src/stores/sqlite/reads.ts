import type { JsonPage } from "../../jsonLists.js";
import type { Store, StoreCall } from "../../store.js";
import type { SqlDatabase } from "./database.js";
import {
  readAnsweredBlacks,
  readBlacks,
  readGroupMembers,
  readJoinedGroups,
  readNotificationAccounts,
  readReceivedGroupRequests,
} from "./pages/readLists.js";
import { searchNotificationAccounts } from "./search/readAccounts.js";
import { searchGroupMembers } from "./search/readMembers.js";

interface Lists extends Omit<Store, "setConversations"> {
  /** Blacklists as the operation answers them. */
  answerBlacks: Store["listBlacks"];
}

export type ReadName = keyof Lists;

export type QueryOf<Name extends ReadName> = Parameters<Lists[Name]>[0];

/** The functions that read lists as JSON; undefined if the list's parent does not exist. */
export type Reads = {
  readonly [Name in ReadName]: (query: QueryOf<Name>, call?: StoreCall) => Promise<JsonPage | undefined>;
};

export function readsOf(database: SqlDatabase): Reads {
  const kept =
    <Query>(read: (query: Query) => Promise<JsonPage | undefined>) =>
    async (query: Query) => {
      await database.requireKept?.();
      return read(query);
    };
  return {
    listGroupMembers: kept((query) => (query.keyword === "" ? readGroupMembers : searchGroupMembers)(database, query)),
    listBlacks: kept((query) => readBlacks(database, query.ownerUserID, query)),
    answerBlacks: kept((query) => readAnsweredBlacks(database, query.ownerUserID, query)),
    listJoinedGroups: kept((query) => readJoinedGroups(database, query.userID, query)),
    listReceivedGroupRequests: kept((query) => readReceivedGroupRequests(database, query)),
    listNotificationAccounts: kept((query) =>
      (query.keyword === "" ? readNotificationAccounts : searchNotificationAccounts)(database, query),
    ),
  };
}
