import type { ListDefinition } from "../../lists/list.js";

/** The sizes of lists and nodes. Tests use tiny ones. */
export interface Sizes {
  /** A list of an owner with at most so many rows has no total: each read counts it. */
  uncounted: number;
  /** The most rows of a leaf, a node of level 1. It must be at least 8, so that a quarter of it is a few rows. */
  leaf: number;
  /** How many times as many rows a node may count as a node of the level below; at least 2. */
  fanout: number;
}

export const defaultSizes: Sizes = { uncounted: 64, leaf: 100, fanout: 10 };

/**
 * The most rows of a list without a total. Most owners have short lists, which a read counts quickly. A list without
 * owners has a total from its first row on.
 */
export function uncountedOf({ uncounted }: Sizes, { owner }: Pick<ListDefinition, "owner">): number {
  return owner === undefined ? 0 : uncounted;
}

/** The levels of nodes. The last one may have any number of nodes, which costs little below a hundred million rows. */
export const levels = [1, 2, 3, 4] as const;

/** The most rows that a node of a level counts. */
export function capacity({ leaf, fanout }: Sizes, level: number): number {
  return leaf * fanout ** (level - 1);
}
