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

/** How many calls of one line are under way at once. So many searches of one administrator leave processors to others. */
const mostOfLine = 2;

/** Makes so many calls at once. The others wait in lines that take turns. */
function inTurns(atOnce: number): InTurn {
  const waiting = new WaitingCalls<{ line: string; begin(): void }>();
  const underWay = new Map<string, number>();
  let all = 0;

  const mayBegin = (line: string) => all < atOnce && (underWay.get(line) ?? 0) < mostOfLine;

  function count(line: string, change: 1 | -1): void {
    const calls = (underWay.get(line) ?? 0) + change;
    all += change;
    if (calls === 0) underWay.delete(line);
    else underWay.set(line, calls);
  }

  function turn(line: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = {
        line,
        begin() {
          signal?.removeEventListener("abort", giveUp);
          count(line, 1);
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
    if (mayBegin(line)) count(line, 1);
    else await turn(line, signal);
    try {
      return await call();
    } finally {
      count(line, -1);
      waiting.next(mayBegin)?.begin();
    }
  };
}
