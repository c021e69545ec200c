import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../language/language.js";
import { type Column, fitColumns, trackOf } from "./column.js";
import { forFingers } from "./forFingers.js";
import { indexColumn } from "./indexColumn.js";
import { ListRow } from "./ListRow.js";
import type { Pages } from "./pages.js";
import type { Selection } from "./selection.js";
import { TickCell } from "./TickCell.js";
import { useScroll } from "./useScroll.js";
import { rem, useWidth } from "./useWidth.js";

/** Heights of a row and of the names of the columns, in rem. The high ones have room for two lines and for a finger. */
const heights = { low: { row: 2.25, head: 2 }, high: { row: 3.5, head: 2.8125 } };
/** The box for the tick, what stands beside all columns, and that on a phone, in rem. */
const widths = { tick: 1.25, beside: 1.5, besideNarrow: 1, narrow: 40 };
/** Rows that are drawn above and below those in view. */
const spareRows = 3;
/** How long after the last movement the place is written down, in milliseconds. */
const noteTime = 300;

interface ListGridProps<Item> {
  label: string;
  pages: Pages<Item>;
  columns: readonly Column<Item>[];
  selection: Selection<Item>;
  /** What the box of a row is called. */
  tickLabel(item: Item): string;
  /** The row to begin with, from 1. */
  row: number;
  /** Called when the administrator has moved on to another row. */
  onRow(row: number): void;
  /** Called with the rows in view, from 1. */
  onView(first: number, last: number): void;
  onOpen(index: number): void;
  /** Ticks a row or takes its tick away; of a range, also the rows since the last tick. */
  onTick(index: number, isRange: boolean): void;
  onTickAll(): void;
  /** Takes all ticks away. */
  onUntick(): void;
}

/** All rows of a list, of which only those in view are drawn and asked for. */
export function ListGrid<Item>(props: ListGridProps<Item>) {
  const { label, pages, columns, selection, tickLabel, row, onRow, onView, onOpen, onTick, onTickAll, onUntick } =
    props;
  const total = pages.total.value;
  // Until its length is known, the list is as long as it takes to stand at the row.
  const rows = total ?? row + 99;
  const head = useRef<HTMLDivElement>(null);
  const width = useWidth(head);
  const beside = width < widths.narrow ? widths.besideNarrow : widths.beside;
  const all = [indexColumn<Item>(rows), ...columns];
  const shown = fitColumns(all, width - 2 * beside - widths.tick - 1);
  const hasTwoLines = all.some((column) => column.isBelowName && !shown.includes(column));
  const height = hasTwoLines || forFingers.value ? heights.high : heights.low;
  const [rowHeight, headHeight] = [Math.round(rem() * height.row), Math.round(rem() * height.head)];
  const { element, onScroll, map, top, scrollTo, reveal } = useScroll(rows, rowHeight, headHeight);
  const active = useSignal(-1);
  const noted = useRef(0);
  // Reading it draws the rows again that have come.
  pages.arrivals.value;

  const first = Math.min(map.rowAt(top), Math.max(0, rows - 1));
  const last = Math.max(first, Math.min(rows, Math.ceil((top + map.viewHeight) / rowHeight)) - 1);

  useLayoutEffect(() => {
    if (row === noted.current || map.viewHeight === 0) return;
    noted.current = row;
    scrollTo((row - 1) * rowHeight);
  }, [row, map]);

  // An active row that was in view stays there, also in a lower window.
  const lastView = useRef({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const { first, last } = lastView.current;
    if (active.peek() >= first && active.peek() <= last) reveal(active.peek());
  }, [map.viewHeight, rowHeight]);
  useLayoutEffect(() => {
    lastView.current = { first, last };
  });

  // Before anything is drawn: a timer that runs out later would write down rows that one has left.
  useLayoutEffect(() => {
    if (map.viewHeight === 0 || (row !== noted.current && total === undefined)) return;
    pages.show(first, last);
    onView(first + 1, last + 1);
    const timer = setTimeout(() => {
      if (total === undefined || first + 1 === noted.current) return;
      noted.current = first + 1;
      onRow(first + 1);
    }, noteTime);
    return () => clearTimeout(timer);
  }, [first, last, total, map.viewHeight, pages]);

  function activate(index: number): void {
    active.value = Math.min(Math.max(0, index), rows - 1);
    reveal(active.value);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey || (isCommand && event.key !== "a")) return;
    const current = active.value;
    const screenful = Math.max(1, Math.floor(map.viewHeight / rowHeight) - 1);
    const start = current < 0 ? first : current;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: current < 0 ? first : current + 1,
      ArrowUp: start - 1,
      PageDown: start + screenful,
      PageUp: start - screenful,
      Home: 0,
      End: rows - 1,
    };
    const to = moves[event.key];
    if (isCommand) onTickAll();
    else if (to !== undefined) {
      const item = pages.itemAt(current);
      if (event.shiftKey && item !== undefined && !selection.has(item)) onTick(current, false);
      activate(to);
      if (event.shiftKey) onTick(active.value, true);
    } else if (event.key === " ") {
      activate(start);
      onTick(start, event.shiftKey);
    } else if (event.key === "Enter" && current >= 0) onOpen(current);
    else if (event.key === "Escape") onUntick();
    else return;
    event.preventDefault();
  }

  const from = Math.max(0, first - spareRows);
  const drawn = Math.max(0, Math.min(rows, last + 1 + spareRows) - from);
  const isActiveDrawn = active.value >= from && active.value < from + drawn;

  return (
    <div
      class={hasTwoLines ? "grid two-lines" : "grid"}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-multiselectable="true"
      aria-busy={total === undefined}
      aria-activedescendant={isActiveDrawn ? `row-${active.value}` : undefined}
      style={{
        "--columns": [`${widths.tick}rem`, ...shown.map(trackOf)].join(" "),
        "--beside": `${beside}rem`,
        "--row-height": `${rowHeight}px`,
        "--head-height": `${headHeight}px`,
      }}
      ref={element}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="grid-head" ref={head}>
        <div role="row" class="grid-row" aria-rowindex={1}>
          <TickCell
            role="columnheader"
            label={messages.value.lists.selectAll}
            isTicked={selection.isAll.value}
            isMixed={selection.isAll.value ? selection.count(rows) < rows : selection.count(rows) > 0}
            isDisabled={total === undefined}
            onTick={() => (selection.isAll.value ? onUntick() : onTickAll())}
          />
          {shown.map(({ title, isNumber }, index) => (
            <span role="columnheader" key={index} class={isNumber ? "number" : ""}>
              {title(messages.value)}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="grid-view" style={{ height: `${map.viewHeight}px` }}>
        {Array.from({ length: drawn }, (_, offset) => from + offset).map((index) => (
          <ListRow
            key={index}
            index={index}
            y={index * rowHeight - top}
            item={pages.itemAt(index)}
            isWithheld={pages.isWithheld(index)}
            columns={shown}
            selection={selection}
            tickLabel={tickLabel}
            isActive={index === active.value}
            onOpen={() => {
              active.value = index;
              onOpen(index);
            }}
            onTick={(isRange) => {
              active.value = index;
              onTick(index, isRange);
            }}
          />
        ))}
      </div>
      <div role="presentation" style={{ height: `${Math.max(0, map.scrollHeight - map.viewHeight)}px` }} />
    </div>
  );
}
