import { messages } from "../language/language.js";
import type { Column } from "./column.js";

interface ListRowProps<Item> {
  index: number;
  /** Where it is drawn, in pixels below the top of the view. */
  y: number;
  /** Undefined while it is on its way. */
  item: Item | undefined;
  /** Whether it will not come. */
  isWithheld: boolean;
  columns: readonly Column<Item>[];
  isActive: boolean;
  onOpen(item: Item): void;
}

export function ListRow<Item>({ index, y, item, isWithheld, columns, isActive, onOpen }: ListRowProps<Item>) {
  return (
    // The grid has the focus, and takes the keys for its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="row"
      id={`row-${index}`}
      class={isActive ? "grid-row active" : "grid-row"}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      style={{ transform: `translateY(${y}px)` }}
      onClick={() => item !== undefined && onOpen(item)}
    >
      {columns.map(({ cell, isNumber }, position) => (
        <span role="gridcell" key={position} class={isNumber ? "number" : ""}>
          {item !== undefined && cell(item, messages.value, index)}
          {item === undefined && !isWithheld && <i class="bone" style={{ width: boneWidth(index, position) }} />}
          {isWithheld && <span class="faint">–</span>}
        </span>
      ))}
    </div>
  );
}

/** Skeletons look like text when they are not all of one width. */
function boneWidth(index: number, position: number): string {
  return `${40 + ((index * 37 + position * 53) % 45)}%`;
}
