import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { call, type Data, type Input, type Operation } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { Detail, type DetailLink } from "../parts/Detail.js";
import { FailureNote } from "../parts/FailureNote.js";
import type { Column } from "./column.js";
import { GoForm } from "./GoForm.js";
import { ListCopies } from "./ListCopies.js";
import { ListGrid } from "./ListGrid.js";
import { Pages, rowsPerPage } from "./pages.js";

interface ListScreenProps<Name extends Operation, Item extends object> {
  operation: Name;
  /** What is asked for, without the page. */
  input: Omit<Input<Name>, "pagination">;
  items(data: Data<Name>): { total: number; items: readonly Item[] };
  columns: readonly Column<Item>[];
  heading: ComponentChildren;
  /** How many there are, as a text. */
  total(count: number, text: string): string;
  /** The search and the filters. */
  filters?: ComponentChildren;
  /** What can be done with the whole list. */
  action?: ComponentChildren;
  /** Takes the search and the filters away; undefined where there are none. */
  onClear?: (() => void) | undefined;
  /** What is said of an empty list. */
  none: string;
  row: number;
  /** Writes down the row in view. */
  onRow(row: number): void;
  /** Goes to another row, from which one can go back. */
  onGo(row: number): void;
  /** How an item is shown on its own. */
  detail(item: Item): { title: string; links: readonly DetailLink[] };
  /** How many milliseconds a unit of its times has. */
  timeUnit?: number;
}

/** A list with all that is around it. */
export function ListScreen<Name extends Operation, Item extends object>(props: ListScreenProps<Name, Item>) {
  const { operation, input, items, columns, heading, filters, action, onClear, none, row, onRow, onGo, detail } = props;
  const key = JSON.stringify(input);
  const load = (pageNumber: number, showNumber: number, signal?: AbortSignal) =>
    call(operation, { ...input, pagination: { pageNumber, showNumber } } as Input<Name>, { signal, read: items });
  const pages = useMemo(() => new Pages<Item>((pageNumber, signal) => load(pageNumber, rowsPerPage, signal)), [key]);
  useEffect(() => () => pages.stop(), [pages]);

  const view = useSignal({ first: 1, last: 1 });
  const opened = useSignal<Item | undefined>(undefined);
  // The last total stands until there is another, so that nothing jumps while one types.
  const shownTotal = useRef<number>(undefined);
  const total = pages.total.value;
  if (total !== undefined) shownTotal.current = total;
  const { lists } = messages.value;
  const failure = pages.failure.value;
  const countText =
    shownTotal.current === undefined ? "" : props.total(shownTotal.current, formatCount(shownTotal.current));

  return (
    <section class="list">
      <div class="list-head">
        {heading}
        <p class={total === undefined ? "total outdated" : "total"} role="status">
          {countText}
        </p>
      </div>
      <div class="toolbar">
        {filters}
        <div class="toolbar-end">
          <ListCopies operation={operation} input={input} total={total ?? 0} {...view.value} load={load} />
          {action}
        </div>
      </div>
      {failure && <FailureNote failure={failure} onRetry={() => pages.retry()} />}
      {total === 0 ? (
        <div class="nothing">
          <strong>{onClear ? lists.noneFound : lists.none}</strong>
          <p class="faint">{onClear ? lists.noneFoundLead : none}</p>
          {onClear && (
            <button type="button" onClick={onClear}>
              {lists.clear}
            </button>
          )}
        </div>
      ) : failure !== undefined && total === undefined ? null : (
        <ListGrid
          key={key}
          label={countText || lists.loading}
          pages={pages}
          columns={columns}
          row={row}
          onRow={onRow}
          onView={(first, last) => {
            if (view.value.first !== first || view.value.last !== last) view.value = { first, last };
          }}
          onOpen={(item) => {
            opened.value = item;
          }}
        />
      )}
      {total !== undefined && total > 0 && (
        <div class="list-foot">
          <span class="position">
            {lists.rows(
              formatCount(view.value.first),
              formatCount(Math.min(view.value.last, total)),
              formatCount(total),
            )}
          </span>
          {view.value.last - view.value.first + 1 < total && <GoForm total={total} onGo={onGo} />}
        </div>
      )}
      {opened.value && (
        <Detail
          item={opened.value}
          timeUnit={props.timeUnit ?? 1}
          onClose={() => {
            opened.value = undefined;
          }}
          {...detail(opened.value)}
        />
      )}
    </section>
  );
}
