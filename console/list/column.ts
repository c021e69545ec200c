import type { ComponentChildren } from "preact";
import type { Messages } from "../language/messages.js";

/** A column of a list. */
export interface Column<Item> {
  title(messages: Messages): string;
  /** @param index the place in the list, from 0 */
  cell(item: Item, messages: Messages, index: number): ComponentChildren;
  /** A track of a CSS grid. */
  width: string;
  /** Whether its values are aligned at their end, as numbers are. */
  isNumber?: boolean;
  /** Whether it is left out where there is little room. */
  isWide?: boolean;
}
