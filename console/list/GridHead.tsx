import type { RefObject } from "preact";
import { messages } from "../language/language.js";
import type { Column } from "./column.js";
import { TickCell } from "./TickCell.js";
import type { Ticks } from "./useSelection.js";

interface GridHeadProps<Item> {
  element: RefObject<HTMLDivElement | null>;
  columns: readonly Column<Item>[];
  ticks: Ticks<Item>;
  /** The length of the list; undefined until it is known. */
  total: number | undefined;
}

/** The names of the columns, and the checkbox for all rows. */
export function GridHead<Item>({ element, columns, ticks, total = 0 }: GridHeadProps<Item>) {
  const { selection, tickAll, clear } = ticks;
  const isAll = selection.isAll.value;
  const ticked = selection.count(total);
  return (
    <div role="rowgroup" class="grid-head" ref={element}>
      <div role="row" class="grid-row" aria-rowindex={1}>
        <TickCell
          role="columnheader"
          label={messages.value.lists.selectAll}
          isTicked={isAll}
          isMixed={isAll ? ticked < total : ticked > 0}
          isDisabled={total === 0}
          onTick={() => (isAll ? clear() : tickAll())}
        />
        {columns.map(({ title, isNumber }, index) => (
          <span role="columnheader" key={index} class={isNumber ? "number" : ""}>
            {title(messages.value)}
          </span>
        ))}
      </div>
    </div>
  );
}
