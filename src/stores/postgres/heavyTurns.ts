import { WaitingCalls } from "../waitingCalls.js";
import type { PostgresPool } from "./database.js";

/** How many connections a pool of `pg` has where nothing else is said. */
const usualConnections = 10;

/** Makes a call when it is its turn in a line; rejects with the signal's reason when it is given up before. */
export type InTurn = <Result>(
  line: string,
  signal: AbortSignal | undefined,
  call: () => Promise<Result>,
) => Promise<Result>;

/** The turns of a pool's calls that may take long. */
interface Turns {
  reads: InTurn;
  writes: InTurn;
}

const turns = new WeakMap<PostgresPool, Turns>();

/**
 * The turns of a pool's heavy reads, and of its writes, which may wait for others' locks. Together they take half of
 * its connections, so that light reads always find one. Writes take half of these, so that searches go on while a table
 * is locked.
 */
export function turnsOf(pool: PostgresPool): Turns {
  const known = turns.get(pool);
  if (known !== undefined) return known;
  const { options } = pool as { options?: { max?: number } };
  const atOnce = Math.max(1, Math.floor((options?.max ?? usualConnections) / 2));
  const reads = inTurns(atOnce);
  const ofWrites = inTurns(Math.max(1, Math.floor(atOnce / 2)));
  const made: Turns = {
    reads,
    writes: (line, signal, call) => ofWrites(line, signal, () => reads(line, signal, call)),
  };
  turns.set(pool, made);
  return made;
}

/** Makes so many calls at once. The others wait in lines that take turns. */
function inTurns(atOnce: number): InTurn {
  const waiting = new WaitingCalls<{ line: string; begin(): void }>();
  let underWay = 0;

  function turn(line: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = {
        line,
        begin() {
          signal?.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      function giveUp(): void {
        waiting.delete(call);
        reject(signal?.reason);
      }
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", giveUp, { once: true });
      waiting.add(call);
    });
  }

  return async (line, signal, call) => {
    if (underWay >= atOnce) await turn(line, signal);
    else underWay += 1;
    try {
      return await call();
    } finally {
      const next = waiting.next();
      if (next === undefined) underWay -= 1;
      else next.begin();
    }
  };
}
