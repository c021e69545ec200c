/** Reads pages of all lists as they are kept: chooses a statement for each query. */
import type { PageRange } from "../../pagination.js";
import type { BlacksQuery, ListMethod, Store, StoreCall } from "../../store.js";
import { blacks } from "../lists/blacks.js";
import { groupMembers } from "../lists/groupMembers.js";
import { receivedGroupRequests } from "../lists/groupRequests.js";
import { joinedGroups } from "../lists/joinedGroups.js";
import { notificationAccounts, notificationAccountsByLevel } from "../lists/notificationAccounts.js";
import { rowsOf, type SqlDatabase } from "./database.js";
import { betweenKeys } from "./pages/betweenKeys.js";
import { type FoundPage, type PageReader, type PageText, pageText, type Request, readPage } from "./pages/readPage.js";
import { oneByOne, received, requestsForGroups, withResults } from "./pages/receivedRequests.js";
import { keyRanges, wholeList } from "./pages/selections.js";
import { rangesText } from "./schema/keys.js";
import { inSmallLetters } from "./search/keyword.js";
import { matching } from "./search/matching.js";

interface Lists extends Pick<Store, ListMethod> {
  /** `unit` is how many milliseconds are one in the answered times: 1,000 for seconds. */
  listBlacks(query: BlacksQuery & { unit?: number }, call?: StoreCall): ReturnType<Store["listBlacks"]>;
}

export type ReadName = keyof Lists;

export type QueryOf<Name extends ReadName> = Parameters<Lists[Name]>[0];

/** Reads a page of a list as JSON; undefined if the list's parent does not exist. */
export type Read = <Name extends ReadName>(
  name: Name,
  query: QueryOf<Name>,
  call?: StoreCall,
) => Promise<FoundPage | undefined>;

/** A function for each list. */
export type Reads = { readonly [Name in ReadName]: (query: QueryOf<Name>) => ReturnType<Read> };

const texts = {
  members: pageText(groupMembers, wholeList(groupMembers)),
  membersWithLevels: pageText(groupMembers, keyRanges(groupMembers)),
  blacks: pageText(blacks, wholeList(blacks)),
  joinedGroups: pageText(joinedGroups, wholeList(joinedGroups)),
  earlyRequests: pageText(receivedGroupRequests, oneByOne(received)),
  lateRequests: pageText(receivedGroupRequests, betweenKeys(received)),
  earlyRequestsWithResults: pageText(receivedGroupRequests, oneByOne(withResults)),
  lateRequestsWithResults: pageText(receivedGroupRequests, betweenKeys(withResults)),
  requestsForGroups: pageText(receivedGroupRequests, requestsForGroups),
  accounts: pageText(notificationAccounts, wholeList(notificationAccounts)),
  accountsWithLevel: pageText(notificationAccountsByLevel, keyRanges(notificationAccountsByLevel)),
  matchingMembers: pageText(groupMembers, matching(groupMembers)),
  matchingAccounts: pageText(notificationAccounts, matching(notificationAccounts)),
  matchingAccountsWithLevel: pageText(notificationAccountsByLevel, matching(notificationAccountsByLevel)),
};

/** With fewer requests to skip, taking one after the other is faster, however many groups there are. */
const fewSkipped = 200;

/** An array as JSON; NULL if there is none. */
export const json = (values: readonly unknown[] | undefined) => (values === undefined ? null : JSON.stringify(values));

/** The pages say whether changes wait to be settled. */
export function readsOf(database: SqlDatabase, reader = pageReader(database)): Read {
  const read = (text: PageText, range: PageRange, request: Request) => readPage(reader, text, range, request);
  const reads: Reads = {
    listGroupMembers(query) {
      const { groupID: owner, keyword, roleLevels } = query;
      const ranges = roleLevels && rangesText(groupMembers, roleLevels);
      if (keyword !== "") {
        return read(texts.matchingMembers, query, { owner, ranges: ranges ?? null, keyword: inSmallLetters(keyword) });
      }
      return ranges === undefined
        ? read(texts.members, query, { owner })
        : read(texts.membersWithLevels, query, { owner, ranges });
    },
    listBlacks: (query) => read(texts.blacks, query, { owner: query.ownerUserID, unit: query.unit ?? 1 }),
    listJoinedGroups: (query) => read(texts.joinedGroups, query, { owner: query.userID }),
    listReceivedGroupRequests(query) {
      const { userID: owner, groupIDs, handleResults, offset } = query;
      if (groupIDs !== undefined) {
        return read(texts.requestsForGroups, query, { owner, groupIDs: json(groupIDs), filter: json(handleResults) });
      }
      const isEarly = offset < fewSkipped;
      if (handleResults === undefined)
        return read(isEarly ? texts.earlyRequests : texts.lateRequests, query, { owner });
      const text = isEarly ? texts.earlyRequestsWithResults : texts.lateRequestsWithResults;
      return read(text, query, { owner, filter: json([...new Set(handleResults)]) });
    },
    listNotificationAccounts(query) {
      const { keyword, appMangerLevel: level } = query;
      const asked = { owner: "", ...(keyword !== "" && { keyword: inSmallLetters(keyword) }) };
      if (level === undefined) return read(keyword === "" ? texts.accounts : texts.matchingAccounts, query, asked);
      const text = keyword === "" ? texts.accountsWithLevel : texts.matchingAccountsWithLevel;
      return read(text, query, { ...asked, ranges: rangesText(notificationAccountsByLevel, [level]) });
    },
  };
  return (name, query) => reads[name](query);
}

/** Reads each page by itself. */
export function pageReader({ read, jsonOf, recovery }: SqlDatabase): PageReader {
  return {
    ...(jsonOf && { jsonOf }),
    ...(recovery && { recovery }),
    run: async (statement) => rowsOf(await read([statement]), 0),
  };
}
