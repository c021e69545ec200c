import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { forFingers, isLow, isPrinted } from "../parts/media.js";
import { type Column, fitColumns, mostRoom, trackOf } from "./column.js";
import { indexColumn } from "./indexColumn.js";

/**
 * Heights of a row and of the head, in rem. The largest heights have room for two lines and for a finger. The middle ones
 * have room for two lines where the window is low.
 */
const heights = { low: { row: 2.25, head: 2 }, middle: { row: 2.75, head: 1.75 }, high: { row: 3.5, head: 2.8125 } };
/** The width of a checkbox with its gap, and the margins of wide and of narrow lists, in rem. */
const widths = { tick: 1.25, gap: 1, beside: 1.5, besideNarrow: 1, narrow: 40 };

/** The columns and heights that fit the width of an element, which is as wide as the rows. */
export function useFit<Item>(columns: readonly Column<Item>[], rows: number) {
  const element = useRef<HTMLDivElement>(null);
  const measured = useSignal({ width: 0, rem: 16 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => {
      if (isPrinted()) return;
      // Administrators may change the size of letters in their browser.
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      measured.value = { width: current.clientWidth / rem, rem };
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(current);
    return () => observer.disconnect();
  }, [measured]);

  const { width, rem } = measured.value;
  const beside = width < widths.narrow ? widths.besideNarrow : widths.beside;
  const all = [indexColumn<Item>(rows), ...columns];
  const room = width - 2 * beside - widths.tick - widths.gap;
  const shown = fitColumns(all, room);
  const hasTwoLines = all.some((column) => column.isBelowName && !shown.includes(column));
  const isHigh = hasTwoLines || forFingers.value;
  const height = isLow.value ? heights.middle : isHigh ? heights.high : heights.low;
  const [rowHeight, headHeight] = [Math.round(rem * height.row), Math.round(rem * height.head)];
  const style = {
    "--columns": [`${widths.tick}rem`, ...shown.map(trackOf)].join(" "),
    "--printed-columns": shown.map(({ least }) => `minmax(0, ${least}fr)`).join(" "),
    "--beside": `${beside}rem`,
    "--left-over": `${Math.max(0, room - mostRoom(shown))}rem`,
    "--row-height": `${rowHeight}px`,
    "--head-height": `${headHeight}px`,
  };
  return { element, columns: shown, hasTwoLines, rowHeight, headHeight, style };
}
