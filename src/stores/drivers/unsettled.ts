import type { SqlDatabase } from "../sqlite/database.js";
import { readsFromRecords } from "../sqlite/fromRecords.js";
import { type AnyRead, each, type ReadName } from "../sqlite/reads.js";
import type { Unsettled } from "../sqlite/settledReads.js";
import { failedBy } from "./connection.js";

/** How long a read waits until changes are settled, in milliseconds. Another program may have the lock for longer. */
const patience = 200;

/** How a file's lists are read while its changes cannot be settled. */
export interface UnsettledFile extends Unsettled {
  /** How many pages were read from the records so far. */
  pagesFromRecords(): number;
  /** The same, with another function that reads the records. */
  readingBy(read: (name: ReadName) => AnyRead): Unsettled;
}

/** Reads the records of a file while another program has its lock, or if it can only be read. */
export function unsettledReads(database: SqlDatabase, isReadonly: boolean): UnsettledFile {
  let pages = 0;
  const own = readsFromRecords(database);
  const counted = (readBy: (name: ReadName) => AnyRead) =>
    each(own, (_, name) => (query, call) => {
      pages += 1;
      return readBy(name)(query, call);
    });
  const unsettled: UnsettledFile = {
    reads: counted((name) => own[name]),
    pagesFromRecords: () => pages,
    readingBy: (read) => ({ ...unsettled, reads: counted(read) }),
    async inTime(settle) {
      if (isReadonly) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), patience);
      });
      const done = settle().then(
        (result) => ({ result }),
        (error: unknown) => {
          if (failedBy(error, "BUSY") || failedBy(error, "READONLY")) return undefined;
          throw error;
        },
      );
      try {
        return await Promise.race([done, late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return unsettled;
}
