import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { close, open } from "../places/address.js";
import type { ListPlace } from "../places/place.js";
import { refreshes } from "../places/refresh.js";
import type { Pages } from "./pages.js";
import { type Load, readRows, rowsPerRead } from "./readRows.js";

interface OpenedOptions<Item> {
  at: ListPlace;
  pages: Pages<Item>;
  load: Load<Item>;
  /** Loads the rows that a search for a key finds; undefined if there is no such search. */
  loadLike: ((key: string) => Load<Item>) | undefined;
  keyOf(item: Item): string;
}

/** A row whose details are open. */
export interface OpenedRow<Item> {
  key: string;
  /** Its item as it came last. While another row is on its way, it is the item of the row before. */
  item?: Item | undefined;
  /** Its position, from 0; undefined if it is not known. */
  index?: number | undefined;
  /** Why there is no newer item. */
  lack?: "coming" | "sought" | "gone" | CallFailure;
}

/** The row whose details are open. The address has its key. */
export function useOpened<Item>({ at, pages, load, loadLike, keyOf }: OpenedOptions<Item>) {
  const key = at.open ?? "";
  const opened = useSignal<OpenedRow<Item> | undefined>(undefined);
  const openedOf = useRef(pages);
  const begin = useNewest();
  /** What was sought last. */
  const sought = useRef("");
  const latest = useRef(at);
  latest.current = at;
  useLayoutEffect(follow, [key, pages, pages.arrivals.value]);

  /** Follows the row after the address, or what is known of the list, has changed. */
  function follow(): void {
    if (key === "" || openedOf.current !== pages) {
      opened.value = undefined;
      begin();
      sought.current = "";
    }
    openedOf.current = pages;
    if (key === "") return;
    const known = opened.peek()?.key === key ? opened.peek() : undefined;
    const { index, item, lack } = known ?? {};
    const there = index === undefined ? undefined : pages.itemAt(index);
    const isAway = index !== undefined && there === undefined && !pages.isWithheld(index);
    if (lack === "coming" && index !== undefined) {
      if (there !== undefined) openAt(index);
      else if (!isAway) opened.value = { key, index, lack: "gone" };
      return;
    }
    // The details of a row stay when the list is scrolled.
    if (item !== undefined && isAway) return;
    const found = there !== undefined && keyOf(there) === key ? index : pages.indexOf((one) => keyOf(one) === key);
    if (found !== undefined) {
      begin();
      opened.value = { key, item: pages.itemAt(found), index: found };
    } else {
      opened.value = known ?? { key, lack: "sought" };
      if (pages.total.peek() !== undefined) void seek(known);
    }
  }

  /** Looks for the row elsewhere in the list, once for each state of the list. */
  async function seek(known: OpenedRow<Item> | undefined): Promise<void> {
    const of = JSON.stringify([key, refreshes.peek(), pages.total.peek()]);
    if (sought.current === of) return;
    sought.current = of;
    const signal = begin();
    try {
      const found = await find(signal);
      if (!signal.aborted) opened.value = found ? { ...known, key, ...found } : { ...known, key, lack: "gone" };
    } catch (error) {
      if (hasFailed(error, signal)) opened.value = { ...known, key, lack: error };
    }
  }

  async function find(signal: AbortSignal): Promise<{ item: Item; index?: number } | undefined> {
    // The row has hardly moved since the address was written.
    const first = Math.max(0, latest.current.row - 1 - rowsPerRead / 2);
    const near = await findIn(load, { first, last: first + rowsPerRead - 1, signal });
    if (near !== undefined) return near;
    if (loadLike === undefined) return findIn(load, { first: 0, signal });
    const like = await findIn(loadLike(key), { first: 0, signal });
    return like && { item: like.item };
  }

  async function findIn(load: Load<Item>, range: { first: number; last?: number; signal: AbortSignal }) {
    let start = range.first;
    for await (const { items, next } of readRows(load, range)) {
      const index = items.findIndex((item) => keyOf(item) === key);
      const item = items[index];
      if (item !== undefined) return { item, index: start + index };
      start = next;
    }
    return undefined;
  }

  /** Opens the row at a position. If details are open already, the row may still have to come. */
  function openAt(index: number): void {
    begin();
    const item = pages.itemAt(index);
    if (item !== undefined) {
      opened.value = { key: keyOf(item), item, index };
      open(latest.current, keyOf(item));
    } else if (opened.peek() !== undefined) {
      opened.value = { key, item: opened.peek()?.item, index, lack: "coming" };
    }
  }

  return { opened: opened.value, openAt, closeRow: () => close(latest.current) };
}
