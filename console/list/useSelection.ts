import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";
import { onSignOut } from "../api/onSignOut.js";
import { keep, takeKept } from "../places/kept.js";
import type { Pages } from "./pages.js";
import { type Load, readRows } from "./readRows.js";
import { Selection } from "./selection.js";

interface SelectionOptions<Item> {
  /** Identifies the list, with any search and filter. */
  name: string;
  /** The input of the list. If it changes, a tick for all rows is cleared. */
  listKey: string;
  pages: Pages<Item>;
  load: Load<Item>;
  keyOf(item: Item): string;
  idOf(item: Item): string;
}

/** The ticked rows of a list, and functions that change them. */
export interface Ticks<Item> {
  selection: Selection<Item>;
  /** Identifies an item in the list. */
  keyOf(item: Item): string;
  /** The ID of an item, which the administrator can copy. */
  idOf(item: Item): string;
  /** Ticks or unticks a row; with a range, also all rows since the last tick. */
  tick(index: number, isRange: boolean): Promise<void>;
  /** Ticks the rows from one to another, for a key that moves with Shift. */
  tickTo(from: number, to: number): Promise<void>;
  tickAll(): void;
  clear(): void;
  /** The IDs of the items that are ticked now, each once. If all rows are ticked, it reads the whole list. */
  readIDs(signal: AbortSignal, onRead: (rows: number) => void): Promise<string[]>;
}

const selections = new Map<string, Selection<unknown>>();
const rows = "rows";

keep(rows, () => Array.from(selections, ([name, { kept }]) => [name, kept]));
onSignOut(() => selections.clear());

/** The selection of a list. It stays when the administrator looks at another screen. */
function selectionOf<Item>(name: string, keyOf: (item: Item) => string): Selection<Item> {
  const known = selections.get(name) as Selection<Item> | undefined;
  const selection = known ?? new Selection<Item>(keyOf, takeKept(rows, name));
  selections.set(name, selection as Selection<unknown>);
  return selection;
}

/** The ticked rows of a list. Rows that were ticked one by one stay ticked during a search for others. */
export function useSelection<Item>(options: SelectionOptions<Item>): Ticks<Item> {
  const { name, listKey, pages, load, keyOf, idOf } = options;
  const selection = useMemo(() => selectionOf(name, keyOf), [name]);
  const lastTick = useRef<number>(undefined);
  const ranging = useRef(new AbortController());
  useLayoutEffect(() => {
    lastTick.current = undefined;
    selection.showList(listKey);
  }, [pages]);
  useEffect(() => () => ranging.current.abort(), []);

  async function tick(index: number, isRange: boolean): Promise<void> {
    const item = pages.itemAt(index);
    if (item === undefined && !isRange) return;
    const isTicked = item === undefined || !selection.has(item);
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

  async function tickTo(from: number, to: number): Promise<void> {
    const item = pages.itemAt(from);
    if (item !== undefined && !selection.has(item)) selection.tick([item], true);
    lastTick.current = Math.max(0, from);
    await tick(to, true);
  }

  function setAll(isTicked: boolean): void {
    // A range that is still being read was asked for before.
    ranging.current.abort();
    ranging.current = new AbortController();
    selection.tickAll(isTicked, listKey);
  }

  async function readIDs(signal: AbortSignal, onRead: (rows: number) => void): Promise<string[]> {
    if (!selection.isAll.peek()) return [...new Set(selection.items.map(idOf))];
    const isTicked = selection.snapshot();
    const ids = new Set<string>();
    let rows = 0;
    for await (const { items } of readRows(load, { signal })) {
      rows += items.length;
      onRead(rows);
      for (const item of items) if (isTicked(item)) ids.add(idOf(item));
    }
    return [...ids];
  }

  return { selection, keyOf, idOf, tick, tickTo, tickAll: () => setAll(true), clear: () => setAll(false), readIDs };
}
