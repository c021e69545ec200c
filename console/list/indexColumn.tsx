import { formatCount } from "../language/format.js";
import type { Column } from "./column.js";

/** A column with the positions of the rows, wide enough for a list of this length. */
export function indexColumn<Item>(rows: number): Column<Item> {
  return {
    title: ({ lists }) => lists.position,
    least: 0.25 + formatCount(rows).length / 2,
    rank: 9,
    isNumber: true,
    cell: (_item, _messages, index) => <span class="index">{formatCount(index + 1)}</span>,
  };
}
