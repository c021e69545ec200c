import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";
import type { Pages } from "./pages.js";
import { type Load, readRows } from "./readRows.js";
import { Selection } from "./selection.js";

interface SelectionOptions<Item> {
  /** What the list is made of; a tick for all of it does not outlast it. */
  listKey: string;
  pages: Pages<Item>;
  load: Load<Item>;
  keyOf(item: Item): string;
  idOf(item: Item): string;
}

/** The ticked rows of a list. Those ticked one by one stay so while the administrator searches for others. */
export function useSelection<Item>({ listKey, pages, load, keyOf, idOf }: SelectionOptions<Item>) {
  const selection = useMemo(() => new Selection<Item>(keyOf), []);
  const lastTick = useRef<number>(undefined);
  const ranging = useRef(new AbortController());
  useLayoutEffect(() => {
    lastTick.current = undefined;
    if (selection.isAll.peek()) selection.tickAll(false);
  }, [listKey]);
  useEffect(() => () => ranging.current.abort(), []);

  /** Ticks a row, or takes its tick away; with a range, also all rows since the last tick. */
  async function tick(index: number, isRange: boolean): Promise<void> {
    const item = pages.itemAt(index);
    if (item === undefined) return;
    const isTicked = !selection.has(item);
    const from = isRange ? (lastTick.current ?? index) : index;
    lastTick.current = index;
    const [first, last] = [Math.min(from, index), Math.max(from, index)];
    const items = pages.itemsBetween(first, last);
    if (items !== undefined) return selection.tick(items, isTicked);
    const { signal } = ranging.current;
    try {
      for await (const { items } of readRows(load, { first, last, signal })) selection.tick(items, isTicked);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CallFailure)) throw error;
      pages.failure.value = error;
    }
  }

  function clear(): void {
    ranging.current.abort();
    ranging.current = new AbortController();
    selection.tickAll(false);
  }

  /** The IDs of what is ticked, each once; where all is, the whole list is read for them. */
  async function readIDs(signal: AbortSignal, onRead: (rows: number) => void): Promise<string[]> {
    if (!selection.isAll.peek()) return [...new Set(selection.items.map(idOf))];
    const ids = new Set<string>();
    let rows = 0;
    for await (const { items } of readRows(load, { signal })) {
      rows += items.length;
      onRead(rows);
      for (const item of items) if (selection.has(item)) ids.add(idOf(item));
    }
    return [...ids];
  }

  return { selection, tick, clear, readIDs };
}
