import { useRef } from "preact/hooks";
import { messages } from "../language/language.js";
import { useSteadyClicks } from "../parts/useSteadyClicks.js";
import type { Column } from "./column.js";
import { TickCell } from "./TickCell.js";
import type { Ticks } from "./useSelection.js";

interface ListRowProps<Item> {
  index: number;
  /** Its distance from the top of the view, in pixels. */
  y: number;
  /** Whether it is drawn although it is not in view. */
  isSpare: boolean;
  /** Undefined until it comes. */
  item: Item | undefined;
  /** Whether it has failed to come. */
  isWithheld: boolean;
  columns: readonly Column<Item>[];
  ticks: Ticks<Item>;
  isActive: boolean;
  /** Whether its details are open. */
  isOpen: boolean;
  onOpen(): void;
  /** @param isRange whether to tick all rows since the last tick too */
  onTick(isRange: boolean): void;
}

/** How far a pointer may move in a click, in pixels. */
const stillness = 4;

export function ListRow<Item>(props: ListRowProps<Item>) {
  const { index, y, isSpare, item, isWithheld, columns, ticks, isActive, isOpen, onOpen, onTick } = props;
  const isTicked = item !== undefined && ticks.selection.has(item);
  const steadyClicks = useSteadyClicks(item && ticks.keyOf(item));
  const pressed = useRef({ x: 0, y: 0 });

  function onClick({ target, clientX, clientY }: MouseEvent): void {
    if (target instanceof Element && target.closest(".tick-cell")) return;
    const way = Math.hypot(clientX - pressed.current.x, clientY - pressed.current.y);
    // A pointer that has moved over a text has selected it.
    const isSelecting = way > stillness && getSelection()?.type === "Range";
    if (!isSelecting) onOpen();
  }

  return (
    // The grid has the focus, and handles the keys for its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="row"
      id={`row-${index}`}
      class={`grid-row${isSpare ? " spare" : ""}${isActive ? " active" : ""}${isOpen ? " shown" : ""}${isTicked ? " ticked" : ""}`}
      aria-rowindex={index + 2}
      aria-selected={isTicked}
      style={{ "--y": `${y}px` }}
      onPointerDown={({ clientX, clientY }) => {
        pressed.current = { x: clientX, y: clientY };
      }}
      {...steadyClicks}
      onClick={onClick}
    >
      <TickCell
        role="gridcell"
        label={item === undefined ? "" : messages.value.lists.select(ticks.idOf(item))}
        isTicked={isTicked}
        isDisabled={item === undefined}
        onTick={onTick}
      />
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

/** Placeholders of different widths look like text. */
function boneWidth(index: number, position: number): string {
  return `${40 + ((index * 37 + position * 53) % 45)}%`;
}
