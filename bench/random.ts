/** Random numbers that are the same in each run. */
export interface Random {
  /** An integer from 0 to `end - 1`. */
  below(end: number): number;
  /** One of several. */
  from<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** The generator "mulberry32": small, fast, and random enough for benchmarks. */
export function seededRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(next() * end);
  return { below, from: (items) => items[below(items.length)] ?? items[0] };
}

/**
 * Another number of 32 bits for each number of 32 bits, without any order that could be seen: the last step of the hash
 * function "MurmurHash3".
 */
export function scrambled(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** How many numbers wait to be the next one. */
const waitingNumbers = 4000;

/** Numbers about in their order: any one of those that wait is the next. */
export function* inLooseOrder(count: number, random: Random): Generator<number> {
  const waiting = Array.from({ length: Math.min(waitingNumbers, count) }, (_, number) => number);
  for (let number = waiting.length; number < count; number += 1) {
    const index = random.below(waiting.length);
    yield waiting[index] ?? number;
    waiting[index] = number;
  }
  yield* waiting;
}
