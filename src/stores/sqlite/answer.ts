/**
 * How a store answers a page. What a read does about changes, locks and threads is decided here, in this order:
 *
 * 1. It looks whether the lists are still kept. If a host's migration has taken triggers away, it has them made again
 *    (`drivers/schemaWatch.ts`). If that cannot be done in time, it goes on with 5.
 * 2. It reads the list as it is kept, and in the same statement which changes wait. If none does, this is the answer.
 * 3. It settles these changes, and reads once more. Reads that come meanwhile wait for the same settling.
 * 4. A host that always writes leaves no moment without changes: the third time, one transaction settles and reads.
 * 5. It reads the records alone, which is slower. It does so where 3 or 4 fails, or takes longer than 200 ms because
 *    another program has the lock or too many changes wait; and at once if the file is only read. An engine that nobody
 *    locks has no such limit.
 *
 * A statement that finds even reading locked is tried again for 10 seconds (`drivers/busy.ts`). A store with threads does 2
 * and 3 in one of them where that is heavy, and 5 always (`drivers/lane/laneStore.ts`). Each step leaves out rows of a host
 * that cannot be read (`recovery.ts`).
 */
import type { StoreCall } from "../../store.js";
import { rowsOf, type SqlDatabase } from "./database.js";
import type { FoundPage, PageReader } from "./pages/readPage.js";
import { pageReader, type QueryOf, type Read, type ReadName, readsOf } from "./reads.js";
import { unreadableKind } from "./schema/changed.js";
import type { Sizes } from "./schema/sizes.js";
import { allKinds, kindsOf, settle, settling } from "./settle/settle.js";

/** How often a read looks for a moment at which no change waits. */
const attempts = 2;

/** How many portions a read settles on an engine that nobody locks. */
const mostPortions = 1000;

/** Settles changes of some kinds. */
export type Settle = (kinds: readonly string[]) => Promise<void>;

/** What an engine does whose database may be locked, or only be read. */
export interface Unsettled {
  /** How long a read waits until changes are settled, in milliseconds; 0 if they cannot be settled at all. */
  patience: number;
  /** Reads the records alone. */
  records: Read;
}

/** The parts of an answer, wherever they are done. */
export interface Parts {
  /** Reads what is kept, and says which changes wait. */
  kept: Read;
  settle: Settle;
  /** Reads the records alone; undefined on an engine that nobody locks. */
  records: Read | undefined;
}

/** Does them on this thread. */
export function partsHere(database: SqlDatabase, sizes: Sizes): Parts {
  return {
    kept: readsOf(database),
    settle: (kinds) => settle(database, sizes, kinds),
    records: database.unsettled?.records,
  };
}

/** Returns a function that answers a page as the records are when the call begins. */
export function answering(database: SqlDatabase, sizes: Sizes, { kept, settle, records }: Parts): Read {
  const together = readsOf(database, settlingReader(database, sizes));
  const most = records ? attempts + 1 : mostPortions;
  const inTime = <Result>(work: () => Promise<Result>) => doneInTime(database.unsettled?.patience, work);

  /** Reads the list as it is kept; undefined if changes cannot be settled in time. */
  async function settled<Name extends ReadName>(name: Name, query: QueryOf<Name>, call: StoreCall | undefined) {
    for (let attempt = 1; ; attempt += 1) {
      const found: Done<FoundPage | undefined> | undefined =
        attempt <= attempts
          ? { result: await kept(name, query, call) }
          : await inTime(() => together(name, query, call));
      const waiting = found?.result?.waiting;
      if (found === undefined || waiting === undefined) return found;
      if (attempt === most || !(await inTime(() => settle(kindsOf(waiting))))) return undefined;
    }
  }

  return async (name, query, call) => {
    const isKept = await database.lookAtSchema?.();
    const found = isKept === false && records ? undefined : await settled(name, query, call);
    if (found !== undefined) return found.result;
    if (records !== undefined) return records(name, query, call);
    throw new Error("changes cannot be settled as fast as they come: try again later");
  };
}

interface Done<Result> {
  result: Result;
}

/**
 * Waits for a work so many milliseconds at most; without a number, until it is done. It resolves to undefined if it fails,
 * or takes longer and goes on; with 0, it is not begun. Reads of the records then tell what concerns them.
 */
export async function doneInTime<Result>(
  patience: number | undefined,
  work: () => Promise<Result>,
): Promise<Done<Result> | undefined> {
  if (patience === undefined) return { result: await work() };
  if (patience === 0) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience);
  });
  const done = work().then(
    (result) => ({ result }),
    () => undefined,
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles all changes before it reads a page, in the same transaction. */
function settlingReader(database: SqlDatabase, sizes: Sizes): PageReader {
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
