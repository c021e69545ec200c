import { setInterval } from "node:timers";
import type { Settle } from "../sqlite/answer.js";
import { isSettled, waitingKinds } from "../sqlite/schema/changed.js";
import { kindsOf } from "../sqlite/settle/settle.js";
import { sql } from "../sqlite/sql.js";
import type { FileDatabase } from "./fileDatabase.js";
import { oneAtATime } from "./oneAtATime.js";

/** How often a file is looked at, in milliseconds. */
const pause = 1000;

/**
 * How often changes may wait because another program has written since the last look. A program that reads and then
 * writes in one transaction fails if somebody writes in between.
 */
const mostDelays = 10;

const readWaiting = sql`SELECT ${waitingKinds} AS waiting`;

/**
 * Settles in the background what other programs write, so that reads seldom wait. It keeps no process alive.
 *
 * @returns a function that ends it
 */
export function settleInBackground(database: FileDatabase, settle: Settle): () => void {
  if (database.isReadonly) return () => {};
  let seen: unknown;
  let settled: unknown;
  let delays = 0;
  const look = oneAtATime(async () => {
    const present = database.version();
    if (present === settled) return;
    if (present !== seen && delays < mostDelays) {
      seen = present;
      delays += 1;
      return;
    }
    delays = 0;
    const [[row] = []] = await database.read([readWaiting]);
    const kinds = kindsOf(row?.["waiting"]);
    if (kinds.some(isSettled)) await settle(kinds);
    // What is left of many changes follows the next time.
    else settled = present;
  });
  // Another program has the lock, or the file is gone: reads tell that.
  const timer = setInterval(() => void look().catch(() => {}), pause);
  timer.unref();
  return () => clearInterval(timer);
}
