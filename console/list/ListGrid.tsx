import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Column } from "./column.js";
import { GridHead } from "./GridHead.js";
import { ListRow } from "./ListRow.js";
import { moveOf } from "./moveOf.js";
import type { Pages } from "./pages.js";
import { useFilled } from "./useFilled.js";
import { useFit } from "./useFit.js";
import { useScroll } from "./useScroll.js";
import type { Ticks } from "./useSelection.js";

/** How many rows are drawn above and below the rows in view. */
const spareRows = 3;
/** How long after the last movement the address gets the new row, in milliseconds. */
const noteTime = 300;

interface ListGridProps<Item> {
  label: string;
  pages: Pages<Item>;
  columns: readonly Column<Item>[];
  ticks: Ticks<Item>;
  /** The row to begin with, from 1. */
  row: number;
  /** Called when the administrator has moved to another row. */
  onRow(row: number): void;
  /** Called with the rows in view, from 1. */
  onView(first: number, last: number): void;
  /** The row whose details are open. */
  opened: { index?: number | undefined } | undefined;
  onOpen(index: number): void;
  onClose(): void;
}

/** All rows of a list. It draws and asks for only those in view. */
export function ListGrid<Item>(props: ListGridProps<Item>) {
  const { label, pages, ticks, row, opened, onRow, onView, onOpen } = props;
  const total = pages.total.value;
  // Until its length is known, the list is just long enough to show the row.
  const rows = total ?? row + 99;
  const fit = useFit(useFilled(props.columns, pages), rows);
  const { columns, rowHeight, headHeight } = fit;
  const { element, onScroll, map, top, scrollTo, reveal } = useScroll(rows, rowHeight, headHeight);
  const active = useSignal(-1);
  const noted = useRef(0);
  const first = Math.min(map.rowAt(top), Math.max(0, rows - 1));
  const last = Math.max(first, Math.min(rows, Math.ceil((top + map.viewHeight) / rowHeight)) - 1);

  useLayoutEffect(() => {
    if (row === noted.current || map.viewHeight === 0) return;
    noted.current = row;
    scrollTo((row - 1) * rowHeight);
  }, [row, map]);

  // An active row in view stays in view when the window becomes lower.
  const lastView = useRef({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const { first, last } = lastView.current;
    if (active.peek() >= first && active.peek() <= last) reveal(active.peek());
  }, [map.viewHeight, rowHeight]);
  useLayoutEffect(() => {
    lastView.current = { first, last };
  });

  // Before anything is drawn: a later timer would write a row of the earlier list into the address.
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

  // The keys go on from the row whose details are open.
  useLayoutEffect(() => {
    if (opened?.index !== undefined) activate(opened.index);
  }, [opened?.index]);

  // When the details close, the row has the focus again.
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const isClosing = wasOpen.current && opened === undefined;
    if (isClosing && document.activeElement === document.body) element.current?.focus();
    wasOpen.current = opened !== undefined;
  }, [opened === undefined]);

  function activate(index: number): void {
    active.value = index;
    reveal(index);
  }

  /** What was asked for last, if rows must come before it can be done. Whatever is asked for next takes its place. */
  const awaited = useRef<"end" | "details">(undefined);
  useLayoutEffect(() => {
    const index = active.peek();
    if (awaited.current === "end" && total !== undefined) activate(total - 1);
    else if (awaited.current !== "details") return;
    else if (index >= first && index <= last) {
      if (pages.itemAt(index) === undefined) return;
      // The administrator may do something else by now.
      if (element.current?.contains(document.activeElement)) onOpen(index);
    }
    awaited.current = undefined;
  }, [total, pages.arrivals.value, first, last]);

  function open(index: number): void {
    awaited.current = undefined;
    if (pages.isWithheld(index)) return;
    if (opened === undefined && pages.itemAt(index) === undefined) awaited.current = "details";
    else onOpen(index);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey || (isCommand && key !== "a")) return;
    const current = active.value;
    const to = moveOf(key, { current, first, inView: Math.floor(map.viewHeight / rowHeight), rows });
    awaited.current = undefined;
    if (isCommand) ticks.tickAll();
    else if (key === "End" && total === undefined) {
      awaited.current = "end";
      active.value = -1;
    } else if (to !== undefined) {
      if (shiftKey) void ticks.tickTo(current, to);
      activate(to);
      if (opened !== undefined) onOpen(to);
    } else if (key === " ") {
      activate(Math.max(first, current));
      void ticks.tick(active.value, shiftKey);
    } else if (key === "Enter" && current >= 0) open(current);
    else if (key === "Escape" && opened !== undefined) props.onClose();
    else if (key === "Escape") ticks.clear();
    else return;
    event.preventDefault();
  }

  const from = Math.max(0, first - spareRows);
  const drawn = Math.max(0, Math.min(rows, last + 1 + spareRows) - from);
  const isActiveDrawn = active.value >= from && active.value < from + drawn;

  return (
    <div
      class={fit.hasTwoLines ? "grid two-lines" : "grid"}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-multiselectable="true"
      aria-busy={total === undefined}
      aria-activedescendant={isActiveDrawn ? `row-${active.value}` : undefined}
      style={fit.style}
      ref={element}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <GridHead element={fit.element} columns={columns} ticks={ticks} total={total} />
      <div role="rowgroup" class="grid-view" style={{ "--view-height": `${map.viewHeight}px` }}>
        {Array.from({ length: drawn }, (_, offset) => from + offset).map((index) => (
          <ListRow
            // A row takes the place of its placeholder, and is no placeholder whose cells move.
            key={`${index} ${pages.itemAt(index) === undefined}`}
            index={index}
            y={index * rowHeight - top}
            isSpare={index < first || index > last}
            item={pages.itemAt(index)}
            isWithheld={pages.isWithheld(index)}
            columns={columns}
            ticks={ticks}
            isActive={index === active.value}
            isOpen={index === opened?.index}
            onOpen={() => {
              active.value = index;
              open(index);
            }}
            onTick={(isRange) => {
              awaited.current = undefined;
              active.value = index;
              void ticks.tick(index, isRange);
            }}
          />
        ))}
      </div>
      <div role="presentation" style={{ height: `${Math.max(0, map.scrollHeight - map.viewHeight)}px` }} />
    </div>
  );
}
