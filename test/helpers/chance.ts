/**
 * How much of what is made by chance a run tries. `npm test` tries a little, always the same. The deep tests set both
 * variables, with a new seed each time, and print them; set them to what was printed to see a failure again.
 */
const share = Number(process.env["ROUNDS"] ?? 0.03);

/** Whether this is a run of the deep tests, which take long. */
export const isDeep = process.env["ROUNDS"] !== undefined;

/** What all chance in a run begins with. */
export const seed = Number(process.env["SEED"] ?? 1);

/** How many rounds to run, of those of a whole deep run. */
export function rounds(whole: number): number {
  return Math.max(1, Math.round(whole * share));
}

/** Gives a number from 0 up to, and without, 1. */
export type Random = () => number;

/** The same sequence for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
