import type { Messages } from "../language/messages.js";
import { IdCell, NameCell, TimeCell } from "../list/cells.js";
import type { Column } from "../list/column.js";

type Title = (messages: Messages) => string;

/** Columns that several lists have. */
export function nameColumn<Item>(title: Title, of: (item: Item) => { name: string; id: string }): Column<Item> {
  return { title, width: "minmax(0, 2fr)", cell: (item) => <NameCell {...of(item)} /> };
}

export function idColumn<Item>(title: Title, of: (item: Item) => string): Column<Item> {
  return { title, width: "minmax(0, 1fr)", isWide: true, cell: (item) => <IdCell id={of(item)} /> };
}

export function timeColumn<Item>(title: Title, of: (item: Item) => number): Column<Item> {
  return { title, width: "17ch", isWide: true, cell: (item) => <TimeCell time={of(item)} /> };
}
