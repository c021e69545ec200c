/** Reads lists as the records are when a read begins: settles before it where changes wait. */
import { rowsOf, type SqlDatabase } from "./database.js";
import type { PageReader } from "./pages/readPage.js";
import { type AnyRead, each, pageReader, type Reads, readsOf } from "./reads.js";
import { unreadableKind } from "./schema/changed.js";
import type { Sizes } from "./schema/sizes.js";
import { allKinds, kindsOf, settle, settling } from "./settle/settle.js";

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

/** A database, and what reads of it do while changes cannot be settled; by default they wait. */
export interface SettledDatabase extends SqlDatabase {
  unsettled?: Unsettled;
}

/**
 * Reads lists as the records are when the read begins. If changes wait, it settles them and reads again; a host that
 * always writes leaves no moment for that, so the last attempt reads within the transaction that settles. If that cannot
 * be done in time, it reads the records alone.
 */
export function settledReads(reads: Reads, database: SettledDatabase, sizes: Sizes, settleKinds?: Settle): Reads {
  const within = readsOf(database, settlingReader(database, sizes));
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

/** Settles all changes before it reads a page, in the same transaction. */
function settlingReader(database: SettledDatabase, sizes: Sizes): PageReader {
  const portions = database.unsettled === undefined ? undefined : 1;
  return {
    ...pageReader(database),
    async run(statement) {
      const results = await database.write({
        *[Symbol.iterator]() {
          yield* settling(sizes, [unreadableKind, ...allKinds], portions, database.recovery?.tryAgain);
          yield statement;
        },
      });
      return rowsOf(results, results.length - 1);
    },
  };
}
