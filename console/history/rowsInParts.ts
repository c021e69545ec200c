import type { Load } from "../list/readRows.js";

/** Loads rows that come in parts, from the first part to the last. It keeps one part at a time. */
export function rowsInParts<Row>(
  total: number,
  parts: number,
  readPart: (part: number, signal?: AbortSignal) => Promise<readonly Row[]>,
): Load<Row> {
  let kept: readonly Row[] = [];
  let [start, part] = [0, 0];
  return async (first, most, signal) => {
    while (first < total && first >= start + kept.length && part < parts) {
      const rows = await readPart(part, signal);
      start += kept.length;
      kept = rows;
      part += 1;
    }
    const items = kept.slice(first - start, first - start + most);
    return { total, items, next: first + items.length };
  };
}
