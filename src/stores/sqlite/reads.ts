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
import type { FoundPage } from "./pages/readPage.js";
import type { Sizes } from "./schema/sizes.js";
import { searchNotificationAccounts } from "./search/readAccounts.js";
import { searchGroupMembers } from "./search/readMembers.js";
import { allKinds, kindsOf, settle, settling } from "./settle/settle.js";

interface Lists extends Omit<Store, "setConversations"> {
  /** Blacklists as the operation answers them. */
  answerBlacks: Store["listBlacks"];
}

export type ReadName = keyof Lists;

export type QueryOf<Name extends ReadName> = Parameters<Lists[Name]>[0];

/** The functions that read lists as JSON; undefined if the list's parent does not exist. */
export type Reads = {
  readonly [Name in ReadName]: (query: QueryOf<Name>, call?: StoreCall) => Promise<FoundPage | undefined>;
};

/** Reads the lists as they are kept. The pages say whether changes wait to be settled. */
export function readsOf(database: SqlDatabase): Reads {
  const reads: Reads = {
    listGroupMembers: (query) => (query.keyword === "" ? readGroupMembers : searchGroupMembers)(database, query),
    listBlacks: (query) => readBlacks(database, query.ownerUserID, query),
    answerBlacks: (query) => readAnsweredBlacks(database, query.ownerUserID, query),
    listJoinedGroups: (query) => readJoinedGroups(database, query.userID, query),
    listReceivedGroupRequests: (query) => readReceivedGroupRequests(database, query),
    listNotificationAccounts: (query) =>
      (query.keyword === "" ? readNotificationAccounts : searchNotificationAccounts)(database, query),
  };
  const { lookAtSchema } = database;
  if (lookAtSchema === undefined) return reads;
  return each(reads, (read) => async (query, call) => {
    await lookAtSchema();
    return read(query, call);
  });
}

/** One of them, with any query. */
export type AnyRead = (query: never, call?: StoreCall) => Promise<FoundPage | undefined>;

/** Wraps each of the functions. */
export function each(reads: Reads, wrap: (read: AnyRead, name: ReadName) => AnyRead): Reads {
  const names = Object.keys(reads) as ReadName[];
  return Object.fromEntries(names.map((name) => [name, wrap(reads[name], name)])) as unknown as Reads;
}

/** How often a read looks for a moment at which no change waits. A host that always writes leaves none. */
const attempts = 2;

/** How many portions a read settles on an engine that cannot read the records alone. */
const mostPortions = 1000;

/** Settles changes of some kinds. */
export type Settle = (kinds: readonly string[]) => Promise<void>;

/** What an engine does whose database may be locked, or only be read. */
export interface Unsettled {
  /** Settles, and resolves to the result; undefined if that cannot be done, or takes longer than a read should wait. */
  inTime<Result>(settle: () => Promise<Result>): Promise<{ result: Result } | undefined>;
  /** Reads the records alone. */
  reads: Reads;
}

/**
 * Reads lists as the records are when the read begins. If changes wait, it settles them and reads again; a host that
 * always writes leaves no moment for that, so the last attempt reads within the transaction that settles. If that cannot
 * be done in time, it reads the records alone.
 */
export function settledReads(reads: Reads, database: SqlDatabase, sizes: Sizes, settleKinds?: Settle): Reads {
  const within = readsOf(settlingDatabase(database, sizes));
  const settleNow = settleKinds ?? ((kinds) => settle(database, sizes, kinds));
  const { inTime, reads: fromRecords } = database.unsettled ?? patient;
  return each(reads, (read, name) => async (query, call) => {
    const readRecords = fromRecords && (fromRecords[name] as AnyRead).bind(undefined, query, call);
    const looked = database.lookAtSchema?.();
    if (readRecords && (looked === false || (await looked) === false)) return readRecords();
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt > attempts;
      const found = isLast
        ? await inTime(() => (within[name] as AnyRead)(query, call))
        : { result: await read(query, call) };
      const waiting = found?.result?.waiting;
      if (found !== undefined && waiting === undefined) return found.result;
      if (readRecords && isLast) return readRecords();
      const settled = await inTime(() => settleNow(kindsOf(waiting)));
      if (readRecords && settled === undefined) return readRecords();
      if (attempt > mostPortions) throw new Error("changes cannot be settled as fast as they come: try again later");
    }
  });
}

/** An engine that nobody locks settles portion by portion, however long that takes. */
const patient: { inTime: Unsettled["inTime"]; reads?: undefined } = {
  inTime: async (settle) => ({ result: await settle() }),
};

/** A database that settles all changes before each read, in the same transaction. */
function settlingDatabase(database: SqlDatabase, sizes: Sizes): SqlDatabase {
  const { unsettled } = database;
  return {
    ...database,
    async read(statements) {
      let count = 0;
      const results = await database.write({
        *[Symbol.iterator]() {
          count = 0;
          yield* settling(sizes, allKinds, unsettled === undefined ? undefined : 1);
          for (const statement of statements) {
            yield statement;
            count += 1;
          }
        },
      });
      return results.slice(results.length - count);
    },
  };
}
