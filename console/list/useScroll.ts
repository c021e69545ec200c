import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { ScrollMap } from "./scrollMap.js";

/** How long after its last movement a scrollbar is put where it belongs, in milliseconds. */
const settleTime = 200;

/** A list as it is scrolled: what is looked at, and how to look at something else. */
export interface Scroll {
  /** Put it on the element that scrolls. */
  element: { current: HTMLDivElement | null };
  onScroll(): void;
  map: ScrollMap;
  /** The distance of the view from the first row, in pixels. */
  top: number;
  scrollTo(top: number): void;
  /** Scrolls no further than it takes for a row to be seen. */
  reveal(row: number): void;
}

/** @param headHeight what always stands above the rows, in pixels */
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
      viewHeight.value = Math.max(0, current.clientHeight - headHeight);
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(current);
    return () => observer.disconnect();
  }, [viewHeight, headHeight]);

  // Rows or a view of another height, or a list of another length: the same rows stay in view, as far as there are any.
  const lastMap = useRef(map);
  useLayoutEffect(() => {
    const before = lastMap.current;
    lastMap.current = map;
    if (!isCutShort()) takeMovement(before);
    // Whoever was at the end of the list is still there when the window has become lower.
    const wasAtEnd = before.total === total && before.lastTop > 0 && top.peek() >= before.lastTop - 1;
    scrollTo(wasAtEnd ? map.lastTop : (top.peek() / before.rowHeight) * rowHeight);
  }, [map]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function scrollTo(to: number): void {
    top.value = map.clamp(to);
    settle();
  }

  /** Puts the scrollbar where it belongs; small moves have left it a little beside that. */
  function settle(): void {
    clearTimeout(timer.current);
    if (element.current === null) return;
    element.current.scrollTop = map.scrollTopOf(top.peek());
    // What the browser has made of it, so that the event which follows is no movement.
    scrollTop.current = element.current.scrollTop;
  }

  function onScroll(): void {
    if (!takeMovement(map)) return;
    clearTimeout(timer.current);
    if (scrollTop.current <= 0 || scrollTop.current >= map.lastScrollTop) settle();
    else timer.current = setTimeout(settleAtRest, settleTime);
  }

  /** Goes where the scrollbar has been moved to; false where it has not been moved. */
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

  /** Settles unless the scrollbar has moved once more, and its event is still to come. */
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
