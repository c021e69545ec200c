import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../language/language.js";
import { forFingers, isLow, isPrinted } from "../parts/media.js";
import { type Column, fitColumns, trackOf, widened } from "./column.js";
import { indexColumn } from "./indexColumn.js";

/**
 * Heights of a row and of the head, in rem. The largest heights have room for two lines and for a finger. The middle ones
 * have room for two lines where the window is low.
 */
const heights = { low: { row: 2.25, head: 2 }, middle: { row: 2.75, head: 1.75 }, high: { row: 3.5, head: 2.8125 } };
/** The width of a checkbox with its gap, and the margins of wide and of narrow lists, in rem. */
const widths = { tick: 1.25, gap: 1, beside: 1.5, besideNarrow: 1, narrow: 40 };

/** The sizes of letters and of small ones, and the room that a badge has beside its word, in rem. */
const letters = { body: 0.875, small: 0.75, badge: 1 };
const drawing = document.createElement("canvas").getContext("2d");

/** The width that a column needs in rem, for its title and its words. */
function neededBy<Item>({ least, title, words }: Column<Item>): number {
  const { fontFamily } = getComputedStyle(document.body);
  function widthOf(text: string, size: number, weight: number): number {
    if (drawing === null) return 0;
    drawing.font = `${weight} 100px ${fontFamily}`;
    return (drawing.measureText(text).width / 100) * size;
  }
  const texts = messages.value;
  const wordWidths = (words?.(texts) ?? []).flatMap((word) => [
    widthOf(word, letters.body, 400),
    widthOf(word, letters.small, 500) + letters.badge,
  ]);
  return Math.max(
    least,
    widthOf(title(texts), letters.small, 400) + 0.125,
    ...wordWidths.map((width) => width + 0.125),
  );
}

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
  const shown = widened(fitColumns(all, room), room, neededBy);
  const hasTwoLines = all.some((column) => column.isBelowName && !shown.some(({ title }) => title === column.title));
  const isHigh = hasTwoLines || forFingers.value;
  const height = isLow.value ? heights.middle : isHigh ? heights.high : heights.low;
  const [rowHeight, headHeight] = [Math.round(rem * height.row), Math.round(rem * height.head)];
  const style = {
    "--columns": [`${widths.tick}rem`, ...shown.map(trackOf)].join(" "),
    "--printed-columns": shown.map(({ least }) => `minmax(0, ${least}fr)`).join(" "),
    "--beside": `${beside}rem`,
    "--row-height": `${rowHeight}px`,
    "--head-height": `${headHeight}px`,
  };
  return { element, columns: shown, hasTwoLines, rowHeight, headHeight, style };
}
