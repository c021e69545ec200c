import type { SqlDatabase } from "../sqlite/database.js";
import { readsFromRecords } from "../sqlite/fromRecords.js";
import type { Unsettled } from "../sqlite/settledReads.js";

/** How long a read waits until changes are settled, in milliseconds. Another program may have the lock for longer. */
const patience = 200;

/** Reads the records of a file while another program has its lock, or if it can only be read. */
export function unsettledReads(database: SqlDatabase, isReadonly: boolean): Unsettled {
  return {
    reads: readsFromRecords(database),
    async inTime(settle) {
      if (isReadonly) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), patience);
      });
      const done = settle().then(
        (result) => ({ result }),
        // Reads of the records tell what concerns them.
        () => undefined,
      );
      try {
        return await Promise.race([done, late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
