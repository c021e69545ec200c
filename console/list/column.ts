import type { ComponentChildren } from "preact";
import type { Messages } from "../language/messages.js";

/** A column of a list. */
export interface Column<Item> {
  title(messages: Messages): string;
  /** @param index the place in the list, from 0 */
  cell(item: Item, messages: Messages, index: number): ComponentChildren;
  /** The least width, in rem. Where there is no room for it, columns are left out. */
  least: number;
  /** Its part of the room that is left; without one it stays at its least width. */
  share?: number;
  /** When it is left out: those of the highest rank first, those without a rank never. */
  rank?: number;
  /** Whether its value stands below the name where the column is left out. */
  isBelowName?: boolean;
  /** Whether its values are aligned at their end, as numbers are. */
  isNumber?: boolean;
}

/** The room between two columns, in rem. */
const gap = 1;

/** The columns that there is room for, in rem. */
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

/** The track of a CSS grid for a column. */
export function trackOf({ least, share }: Pick<Column<never>, "least" | "share">): string {
  return share === undefined ? `${least}rem` : `minmax(${least}rem, ${share}fr)`;
}
