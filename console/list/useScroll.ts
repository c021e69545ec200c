import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { isPrinted } from "../parts/media.js";
import { ScrollMap } from "./scrollMap.js";

/** How long after its last movement the scrollbar is set to its exact position, in milliseconds. */
const settleTime = 200;

/** The position of a list that scrolls, and functions that change it. */
export interface Scroll {
  /** Put it on the element that scrolls. */
  element: { current: HTMLDivElement | null };
  onScroll(): void;
  map: ScrollMap;
  /** The distance of the view from the first row, in pixels. */
  top: number;
  scrollTo(top: number): void;
  /** Scrolls just far enough to show a row. */
  reveal(row: number): void;
}

/** @param headHeight the height of the head above the rows, in pixels; it is always visible */
export function useScroll(total: number, rowHeight: number, headHeight: number): Scroll {
  const element = useRef<HTMLDivElement>(null);
  const viewHeight = useSignal(0);
  const top = useSignal(0);
  const scrollTop = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const map = useMemo(() => new ScrollMap(total, rowHeight, viewHeight.value), [total, rowHeight, viewHeight.value]);

  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => {
      if (isPrinted()) return;
      viewHeight.value = Math.max(0, current.clientHeight - headHeight);
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(current);
    return () => observer.disconnect();
  }, [viewHeight, headHeight]);

  // If the height of rows or view, or the length of the list changes, the same rows stay in view if they still exist.
  const lastMap = useRef(map);
  useLayoutEffect(() => {
    const before = lastMap.current;
    lastMap.current = map;
    if (!isCutShort()) takeMovement(before);
    // A view at the end of the list stays at the end when the window becomes lower.
    const wasAtEnd = before.total === total && before.lastTop > 0 && top.peek() >= before.lastTop - 1;
    scrollTo(wasAtEnd ? map.lastTop : (top.peek() / before.rowHeight) * rowHeight);
  }, [map]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function scrollTo(to: number): void {
    top.value = map.clamp(to);
    settle();
  }

  /** Sets the scrollbar to its exact position. After small moves, it is a little off. */
  function settle(): void {
    clearTimeout(timer.current);
    if (element.current === null) return;
    element.current.scrollTop = map.scrollTopOf(top.peek());
    // The browser may round the value. Remember it, so that the event that follows counts as no movement.
    scrollTop.current = element.current.scrollTop;
  }

  function onScroll(): void {
    if (!takeMovement(map)) return;
    clearTimeout(timer.current);
    if (scrollTop.current <= 0 || scrollTop.current >= map.lastScrollTop) settle();
    else timer.current = setTimeout(settleAtRest, settleTime);
  }

  /** Follows a movement of the scrollbar; false if there was none. */
  function takeMovement(by: ScrollMap): boolean {
    const to = element.current?.scrollTop ?? scrollTop.current;
    if (to === scrollTop.current) return false;
    top.value = by.moved(top.peek(), scrollTop.current, to);
    scrollTop.current = to;
    return true;
  }

  /** Whether the browser has moved the scrollbar back because there is less to scroll. */
  function isCutShort(): boolean {
    const { current } = element;
    if (current === null || current.scrollTop >= scrollTop.current) return false;
    return current.scrollTop >= current.scrollHeight - current.clientHeight - 1;
  }

  /** Settles unless the scrollbar has moved again, and the event has not come yet. */
  function settleAtRest(): void {
    if (element.current?.scrollTop === scrollTop.current) settle();
  }

  function reveal(row: number): void {
    const start = row * rowHeight;
    if (start < top.peek()) scrollTo(start);
    else if (start + rowHeight > top.peek() + map.viewHeight) scrollTo(start + rowHeight - map.viewHeight);
  }

  return { element, onScroll, map, top: top.value, scrollTo, reveal };
}
