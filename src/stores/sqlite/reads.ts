/** Reads pages of all lists as they are kept: chooses a statement for each query. */
import type { BlacksQuery, ListMethod, Store, StoreCall } from "../../store.js";
import { blacks } from "../lists/blacks.js";
import { groupMembers } from "../lists/groupMembers.js";
import { receivedGroupRequests } from "../lists/groupRequests.js";
import { joinedGroups } from "../lists/joinedGroups.js";
import type { ListDefinition } from "../lists/list.js";
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

/** What a query asks for: the statements of its page, and what they bind. */
export interface AskedPage {
  text: PageText;
  request: Request;
}

type AskedOf = { readonly [Name in ReadName]: (query: QueryOf<Name>) => AskedPage };

/**
 * The ways to read a list that is searched: all of it, or the rows with a keyword.
 *
 * @param byNumber the list that has the same rows and begins with the numbers by which they are filtered
 */
function searchedList(list: ListDefinition, byNumber = list) {
  const all = { whole: pageText(list, wholeList(list)), found: pageText(list, matching(list)) };
  const some = { whole: pageText(byNumber, keyRanges(byNumber)), found: pageText(byNumber, matching(byNumber)) };
  return (request: Request, keyword: string, numbers: readonly number[] | undefined): AskedPage => {
    const { whole, found } = numbers === undefined ? all : some;
    const inRanges = numbers === undefined ? request : { ...request, ranges: rangesText(byNumber, numbers) };
    if (keyword === "") return { text: whole, request: inRanges };
    return { text: found, request: { ...inRanges, keyword: inSmallLetters(keyword) } };
  };
}

const members = searchedList(groupMembers);
const accounts = searchedList(notificationAccounts, notificationAccountsByLevel);

const texts = {
  blacks: pageText(blacks, wholeList(blacks)),
  joinedGroups: pageText(joinedGroups, wholeList(joinedGroups)),
  earlyRequests: pageText(receivedGroupRequests, oneByOne(received)),
  lateRequests: pageText(receivedGroupRequests, betweenKeys(received)),
  earlyRequestsWithResults: pageText(receivedGroupRequests, oneByOne(withResults)),
  lateRequestsWithResults: pageText(receivedGroupRequests, betweenKeys(withResults)),
  requestsForGroups: pageText(receivedGroupRequests, requestsForGroups),
};

/** With fewer requests to skip, taking one after the other is faster, however many groups there are. */
const fewSkipped = 200;

/** An array as JSON; NULL if there is none. */
export const json = (values: readonly unknown[] | undefined) => (values === undefined ? null : JSON.stringify(values));

const asked: AskedOf = {
  listGroupMembers: ({ groupID, keyword, roleLevels }) => members({ owner: groupID }, keyword, roleLevels),
  listBlacks: ({ ownerUserID, unit = 1 }) => ({ text: texts.blacks, request: { owner: ownerUserID, unit } }),
  listJoinedGroups: ({ userID }) => ({ text: texts.joinedGroups, request: { owner: userID } }),
  listReceivedGroupRequests({ userID: owner, groupIDs, handleResults, offset }) {
    if (groupIDs !== undefined) {
      const request = { owner, groupIDs: json(groupIDs), filter: json(handleResults) };
      return { text: texts.requestsForGroups, request };
    }
    const isEarly = offset < fewSkipped;
    if (handleResults === undefined)
      return { text: isEarly ? texts.earlyRequests : texts.lateRequests, request: { owner } };
    const text = isEarly ? texts.earlyRequestsWithResults : texts.lateRequestsWithResults;
    return { text, request: { owner, filter: json([...new Set(handleResults)]) } };
  },
  listNotificationAccounts: ({ keyword, appMangerLevel: level }) =>
    accounts({ owner: "" }, keyword, level === undefined ? undefined : [level]),
};

/** What a query asks for of the lists as they are kept. */
export function askedOf<Name extends ReadName>(name: Name, query: QueryOf<Name>): AskedPage {
  return asked[name](query);
}

/** The pages say whether changes wait to be settled. */
export function readsOf(database: SqlDatabase, reader = pageReader(database)): Read {
  return async (name, query) => {
    const { text, request } = askedOf(name, query);
    return readPage(reader, text, query, request);
  };
}

/** Reads each page by itself. */
export function pageReader({ read, jsonOf, recovery }: SqlDatabase): PageReader {
  return {
    ...(jsonOf && { jsonOf }),
    ...(recovery && { recovery }),
    run: async (statement) => rowsOf(await read([statement]), 0),
  };
}
