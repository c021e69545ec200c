import type { SqlDatabase } from "../sqlite/database.js";
import { readsFromRecords } from "../sqlite/pages/fromRecords.js";
import { each, type Unsettled } from "../sqlite/reads.js";
import { failedBy } from "./connection.js";

/** How long a read waits until changes are settled, in milliseconds. Another program may have the lock for longer. */
const patience = 200;

/** How a file's lists are read while its changes cannot be settled. */
export interface UnsettledFile extends Unsettled {
  /** How many pages were read from the records so far. */
  pagesFromRecords(): number;
}

/** Reads the records of a file while another program has its lock, or if it can only be read. */
export function unsettledReads(database: SqlDatabase, isReadonly: boolean): UnsettledFile {
  let pages = 0;
  return {
    reads: each(readsFromRecords(database), (read) => (query, call) => {
      pages += 1;
      return read(query, call);
    }),
    pagesFromRecords: () => pages,
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
}
