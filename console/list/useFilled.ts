import { useMemo, useRef } from "preact/hooks";
import type { Column } from "./column.js";
import type { Pages } from "./pages.js";

/** The columns that a loaded row has a value for. Before the first row is loaded, also those that usually have one. */
export function useFilled<Item>(columns: readonly Column<Item>[], pages: Pages<Item>): readonly Column<Item>[] {
  // A column that has had a value keeps its room, so that it does not come and go while the list is scrolled.
  const filled = useRef(new Set<Column<Item>>()).current;
  // Reading this signal draws the grid again when rows have come.
  const arrivals = pages.arrivals.value;
  return useMemo(() => {
    for (const column of columns) {
      if (!filled.has(column) && pages.some((item) => !column.isEmpty?.(item))) filled.add(column);
    }
    return columns.filter((column) => (arrivals === 0 && !column.isRare) || !column.isEmpty || filled.has(column));
  }, [columns, pages, arrivals]);
}
