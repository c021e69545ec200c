import { batch, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { call, type Data, type Input, type Operation } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { Detail, type DetailLink } from "../parts/Detail.js";
import { FailureNote } from "../parts/FailureNote.js";
import { place } from "../places/address.js";
import { refresh } from "../places/refresh.js";
import { beginTask } from "../tasks/task.js";
import type { Column } from "./column.js";
import { CsvDownload } from "./csvDownload.js";
import { ExportMenu } from "./ExportMenu.js";
import { ListFoot } from "./ListFoot.js";
import { ListGrid } from "./ListGrid.js";
import { fromEnd, fromStart } from "./loads.js";
import { NothingHere } from "./NothingHere.js";
import { Pages, rowsPerPage } from "./pages.js";
import { RefreshButton } from "./RefreshButton.js";
import { type Load, listOf } from "./readRows.js";
import { SelectionBar } from "./SelectionBar.js";
import { useRefresh } from "./useRefresh.js";
import { useSelection } from "./useSelection.js";

interface ListScreenProps<Name extends Operation, Item extends object> {
  operation: Name;
  /** The input of the operation, without `pagination`. */
  input: Omit<Input<Name>, "pagination">;
  items(data: Data<Name>): { total: number; items: readonly Item[] };
  /** Whether the list is shown from its end, so that its last row comes first. */
  isFromEnd?: boolean;
  /** The ID of an item, which the administrator can copy. */
  idOf(item: Item): string;
  /** Identifies an item in the list. The default is its ID. */
  keyOf?(item: Item): string;
  columns: readonly Column<Item>[];
  heading: ComponentChildren;
  /** The total in words. */
  total(count: number, text: string): string;
  /** The search and the filters. */
  filters?: ComponentChildren;
  /** An action for the whole list. */
  action?: ComponentChildren;
  /** Goes to the form that sets a conversation for the ticked users; undefined if the items are no users. */
  onSet?: (userIDs: readonly string[]) => void;
  /** Clears the search and the filters; undefined without any. */
  onClear?: (() => void) | undefined;
  /** The text for an empty list. */
  none: string;
  /** The name of a file with the rows. */
  fileName: string;
  row: number;
  /** Writes the row in view into the address. */
  onRow(row: number): void;
  /** Goes to another row. The back button leads back. */
  onGo(row: number): void;
  /** The details of an item. */
  detail(item: Item): { title: string; links: readonly DetailLink[] };
  /** How many milliseconds the unit of its times has. */
  timeUnit?: number;
}

/** A list with its heading, its toolbar and the details of a row. */
export function ListScreen<Name extends Operation, Item extends object>(props: ListScreenProps<Name, Item>) {
  const { operation, input, items, idOf, columns, heading, filters, action, onClear, row, onRow, onGo } = props;
  const { isFromEnd = false } = props;
  const listKey = JSON.stringify(input);
  const key = `${listKey} ${isFromEnd}`;
  // A page brings up to a thousand names. What shows names is drawn once for all of them.
  const read = (data: Data<Name>) => batch(() => items(data));
  const load = useMemo(() => {
    const order = isFromEnd ? fromEnd : fromStart;
    return order<Item>((pageNumber, showNumber, signal) =>
      call(operation, { ...input, pagination: { pageNumber, showNumber } } as Input<Name>, { signal, read }),
    );
  }, [key]);
  const pages = useMemo(
    () => new Pages<Item>((pageNumber, signal) => load((pageNumber - 1) * rowsPerPage, rowsPerPage, signal)),
    [load],
  );
  useEffect(() => () => pages.stop(), [pages]);
  useRefresh(() => pages.refresh());
  const name = props.fileName;
  const ticks = useSelection({ name, listKey, pages, load, keyOf: props.keyOf ?? idOf, idOf });
  const { selection, clear, readIDs } = ticks;

  const view = useSignal({ first: 1, last: 1 });
  const opened = useSignal<Item | undefined>(undefined);
  // The last total stays until the next one comes, so nothing jumps while the administrator types.
  const shownTotal = useRef<number>(undefined);
  const total = pages.total.value;
  if (total !== undefined) shownTotal.current = total;
  const { lists } = messages.value;
  const failure = pages.failure.value;
  const countText =
    shownTotal.current === undefined ? "" : props.total(shownTotal.current, formatCount(shownTotal.current));
  const ticked = selection.count(total ?? 0);

  function download(rows: Load<Item>, isWanted?: (item: Item) => boolean): void {
    beginTask(new CsvDownload({ name, place: place.peek(), load: rows, isWanted }));
  }

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
          <RefreshButton isLoading={pages.isLoading.value} />
          <ExportMenu
            operation={operation}
            input={input}
            total={total ?? 0}
            {...view.value}
            load={load}
            isFromEnd={isFromEnd}
            onDownload={() => download(load)}
          />
          {action}
        </div>
      </div>
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {total === 0 ? (
        <NothingHere none={props.none} onClear={onClear} />
      ) : failure !== undefined && total === undefined ? null : (
        <ListGrid
          key={key}
          label={countText || lists.loading}
          pages={pages}
          columns={columns}
          ticks={ticks}
          row={row}
          onRow={onRow}
          onView={(first, last) => {
            if (view.value.first !== first || view.value.last !== last) view.value = { first, last };
          }}
          onOpen={(index) => {
            opened.value = pages.itemAt(index);
          }}
        />
      )}
      {ticked > 0 && (
        <SelectionBar
          count={ticked}
          readIDs={readIDs}
          onSet={props.onSet}
          onDownload={() =>
            selection.isAll.peek() ? download(load, selection.snapshot()) : download(listOf(selection.items))
          }
          onClear={clear}
        />
      )}
      {total !== undefined && total > 0 && <ListFoot {...view.value} total={total} onGo={onGo} />}
      {opened.value && (
        <Detail
          item={opened.value}
          timeUnit={props.timeUnit ?? 1}
          onClose={() => {
            opened.value = undefined;
          }}
          {...props.detail(opened.value)}
        />
      )}
    </section>
  );
}
