import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../language/language.js";
import { isNarrow } from "../parts/isNarrow.js";
import type { Column } from "./column.js";
import { indexColumn } from "./indexColumn.js";
import { ListRow } from "./ListRow.js";
import type { Pages } from "./pages.js";
import { useScroll } from "./useScroll.js";

const rowHeights = { wide: 36, narrow: 56 };
/** The height of the names of the columns, in pixels. */
const headHeight = 32;
/** Rows that are drawn above and below those in view. */
const spareRows = 3;
/** How long after the last movement the place is written down, in milliseconds. */
const noteTime = 300;

interface ListGridProps<Item> {
  label: string;
  pages: Pages<Item>;
  columns: readonly Column<Item>[];
  /** The row to begin with, from 1. */
  row: number;
  /** Called when the administrator has moved on to another row. */
  onRow(row: number): void;
  /** Called with the rows in view, from 1. */
  onView(first: number, last: number): void;
  onOpen(item: Item): void;
}

/** All rows of a list, of which only those in view are drawn and asked for. */
export function ListGrid<Item>({ label, pages, columns, row, onRow, onView, onOpen }: ListGridProps<Item>) {
  const total = pages.total.value;
  // Until its length is known, the list is as long as it takes to stand at the row.
  const rows = total ?? row + 99;
  const rowHeight = isNarrow.value ? rowHeights.narrow : rowHeights.wide;
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
    if (event.altKey || event.ctrlKey || event.metaKey) return;
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
    const item = pages.itemAt(current);
    if (to !== undefined) activate(to);
    else if (event.key === "Enter" && item !== undefined) onOpen(item);
    else return;
    event.preventDefault();
  }

  const from = Math.max(0, first - spareRows);
  const drawn = Math.max(0, Math.min(rows, last + 1 + spareRows) - from);
  const tracks = [indexColumn<Item>(rows), ...columns].filter(({ isWide }) => !(isWide && isNarrow.value));
  const isActiveDrawn = active.value >= from && active.value < from + drawn;

  return (
    <div
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-busy={total === undefined}
      aria-activedescendant={isActiveDrawn ? `row-${active.value}` : undefined}
      style={{
        "--columns": tracks.map(({ width }) => width).join(" "),
        "--row-height": `${rowHeight}px`,
        "--head-height": `${headHeight}px`,
      }}
      ref={element}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="grid-head">
        <div role="row" class="grid-row" aria-rowindex={1}>
          {tracks.map(({ title, isNumber }, index) => (
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
            columns={tracks}
            isActive={index === active.value}
            onOpen={(item) => {
              active.value = index;
              onOpen(item);
            }}
          />
        ))}
      </div>
      <div role="presentation" style={{ height: `${Math.max(0, map.scrollHeight - map.viewHeight)}px` }} />
    </div>
  );
}
