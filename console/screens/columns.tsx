import { formatTime, zoneName } from "../language/format.js";
import { labelOf } from "../language/labels.js";
import type { Messages } from "../language/messages.js";
import { IdCell, NameCell, TimeCell, UserCell } from "../list/cells.js";
import type { Column } from "../list/column.js";

type Title = (messages: Messages) => string;

/** The title of a column for a field of the interface. */
export function labelled(field: string): Title {
  return () => labelOf(field);
}

/** Columns that several lists have. */
export function nameColumn<Item>(
  title: Title,
  of: (item: Item) => { name: string; id: string; below?: string },
): Column<Item> {
  return { title, least: 8, share: 2, cell: (item) => <NameCell {...of(item)} /> };
}

/** The ID of an item. On narrow screens, it is below the name. */
export function idColumn<Item>(title: Title, of: (item: Item) => string): Column<Item> {
  return { title, least: 7.5, share: 1, rank: 1, isBelowName: true, cell: (item) => <IdCell id={of(item)} /> };
}

/** Another user that an item names. */
export function userColumn<Item>(title: Title, of: (item: Item) => string): Column<Item> {
  return {
    title,
    least: 7.5,
    share: 1,
    rank: 4,
    isEmpty: (item) => of(item) === "",
    cell: (item) => <UserCell id={of(item)} />,
  };
}

export function timeColumn<Item>(title: Title, of: (item: Item) => number): Column<Item> {
  return {
    title: (messages) => `${title(messages)} (${zoneName()})`,
    least: 8.5,
    rank: 3,
    words: () => [formatTime(Date.UTC(2028, 11, 28, 8, 28))],
    isEmpty: (item) => of(item) === 0,
    cell: (item) => <TimeCell time={of(item)} />,
  };
}
