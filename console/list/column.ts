import type { ComponentChildren } from "preact";
import type { Messages } from "../language/messages.js";

/** A column of a list. */
export interface Column<Item> {
  title(messages: Messages): string;
  /** @param index the position in the list, from 0 */
  cell(item: Item, messages: Messages, index: number): ComponentChildren;
  /** The least width, in rem. If there is no room for all columns, some are left out. */
  least: number;
  /** The words that may stand in it. Where there is room, it is as wide as they and its title are in the reader's font. */
  words?(messages: Messages): readonly string[];
  /** Its share of the remaining room. Without one, the column keeps its least width. */
  share?: number;
  /** Columns with the highest rank are left out first, and columns without a rank never. */
  rank?: number;
  /** Whether its value is shown below the name if the column is left out. */
  isBelowName?: boolean;
  /** Whether an item has no value for it. While no loaded item has a value, the column takes no room. */
  isEmpty?(item: Item): boolean;
  /** Whether few lists have a value for it. It takes no room until an item with a value is loaded. */
  isRare?: boolean;
  /** Whether its values are aligned at their end, like numbers. */
  isNumber?: boolean;
}

/** The gap between two columns, in rem. */
const gap = 1;

/** The columns that fit into a width in rem. */
export function fitColumns<Of extends Pick<Column<never>, "least" | "rank">>(
  columns: readonly Of[],
  room: number,
): Of[] {
  const width = columns.reduce((sum, { least }) => sum + least + gap, -gap);
  const rank = Math.max(...columns.map(({ rank = 0 }) => rank));
  if (width <= room || rank === 0) return [...columns];
  return fitColumns(
    columns.filter((column) => column.rank !== rank),
    room,
  );
}

/** The columns with the width that each needs, as far as there is room. */
export function widened<Of extends Pick<Column<never>, "least">>(
  columns: readonly Of[],
  room: number,
  neededBy: (column: Of) => number,
): Of[] {
  let left = columns.reduce((rest, { least }) => rest - least - gap, room + gap);
  return columns.map((column) => {
    const more = Math.max(0, Math.min(left, neededBy(column) - column.least));
    left -= more;
    return { ...column, least: column.least + more };
  });
}

/** The track of a CSS grid for a column. */
export function trackOf({ least, share }: Pick<Column<never>, "least" | "share">): string {
  return share === undefined ? `${least}rem` : `minmax(${least}rem, ${share}fr)`;
}
