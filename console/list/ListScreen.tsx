import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { call, type Data, type Input, type Operation } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { Detail, type DetailHead } from "../parts/Detail.js";
import { FailureNote } from "../parts/FailureNote.js";
import { isNarrow } from "../parts/media.js";
import { go, place, stay } from "../places/address.js";
import type { ListPlace } from "../places/place.js";
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
import { useOpened } from "./useOpened.js";
import { useRefresh } from "./useRefresh.js";
import { useSelection } from "./useSelection.js";

interface ListScreenProps<Name extends Operation, Item extends object> {
  operation: Name;
  /** The input of the operation, without `pagination`. */
  input: Omit<Input<Name>, "pagination">;
  items(data: Data<Name>): { total: number; items: readonly Item[] };
  /** Whether the list is shown from its end, so that its last row comes first. */
  isFromEnd?: boolean;
  /** Whether the operation's `keyword` finds an item by its ID. */
  isSearchable?: boolean;
  /** The ID of an item, which the administrator can copy. */
  idOf(item: Item): string;
  /** Identifies an item in the list. The default is its ID. */
  keyOf?(item: Item): string;
  columns: readonly Column<Item>[];
  heading: ComponentChildren;
  /** The total in words. */
  total(text: string): string;
  /** The search and the filters. */
  filters?: ComponentChildren;
  /** An action for the whole list. */
  action?: ComponentChildren;
  /** Goes to the form that sets a conversation for the ticked users; undefined if the items are no users. */
  onSet?: (userIDs: readonly string[]) => void;
  /** Goes to that form for all users of the list, without reading them here. */
  onSetAll?: () => void;
  /** Clears the search and the filters; undefined without any. */
  onClear?: (() => void) | undefined;
  /** Where else to search if nothing is found. */
  elsewhere?: ComponentChildren;
  /** The text for an empty list. */
  none: string;
  /** The name of a file with the rows. */
  fileName: string;
  at: ListPlace;
  /** What the details of an item begin with. */
  detail(item: Item): Omit<DetailHead, "id">;
  /** How many milliseconds the unit of its times has. */
  timeUnit?: number;
}

/** A list with its heading and its toolbar, and beside it the details of a row. */
export function ListScreen<Name extends Operation, Item extends object>(props: ListScreenProps<Name, Item>) {
  const { operation, input, items, idOf, columns, heading, filters, action, onClear, at } = props;
  const { isFromEnd = false } = props;
  const listKey = JSON.stringify(input);
  const key = `${listKey} ${isFromEnd}`;
  const keyOf = props.keyOf ?? idOf;
  function read(data: Data<Name>) {
    const page = items(data);
    // An item without its parts is none of this list.
    page.items.forEach(keyOf);
    return page;
  }
  function loadOf(input: object): Load<Item> {
    const order = isFromEnd ? fromEnd : fromStart;
    return order<Item>((pageNumber, showNumber, signal) =>
      call(operation, { ...input, pagination: { pageNumber, showNumber } } as Input<Name>, { signal, read }),
    );
  }
  const load = useMemo(() => loadOf(input), [key]);
  const pages = useMemo(
    () => new Pages<Item>((pageNumber, signal) => load((pageNumber - 1) * rowsPerPage, rowsPerPage, signal)),
    [load],
  );
  useEffect(() => () => pages.stop(), [pages]);
  useRefresh(() => pages.refresh());
  const name = props.fileName;
  const ticks = useSelection({ name, listKey, pages, load, keyOf, idOf });
  const { selection, clear, readIDs } = ticks;

  const view = useSignal({ first: 1, last: 1 });
  const canSearch = props.isSearchable && !("keyword" in input);
  const loadLike = canSearch ? (keyword: string) => loadOf({ ...input, keyword }) : undefined;
  const { opened, openAt, closeRow } = useOpened({ at, pages, load, loadLike, keyOf });
  // The row comes after a while, and the administrator may have opened its details meanwhile.
  const latest = useRef(at);
  latest.current = at;
  // The last total stays until the next one comes, so nothing jumps while the administrator types.
  const shownTotal = useRef<number>(undefined);
  const total = pages.total.value;
  if (total !== undefined) shownTotal.current = total;
  const { lists } = messages.value;
  const failure = pages.failure.value;
  const countText = shownTotal.current === undefined ? "" : props.total(formatCount(shownTotal.current));
  const ticked = selection.count(total ?? 0);

  function download(rows: Load<Item>, isWanted?: (item: Item) => boolean): void {
    beginTask(new CsvDownload({ name, place: place.peek(), load: rows, isWanted }));
  }

  return (
    <>
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
            {!isNarrow.value && <RefreshButton isLoading={pages.isLoading.value} />}
            <ExportMenu
              operation={operation}
              input={input}
              total={total ?? 0}
              {...view.value}
              load={load}
              isFromEnd={isFromEnd}
              onDownload={() => download(load)}
            >
              {isNarrow.value && (
                <>
                  <button type="button" class="quiet" onClick={refresh}>
                    {lists.refresh}
                  </button>
                  {action}
                </>
              )}
            </ExportMenu>
            {!isNarrow.value && action}
          </div>
        </div>
        {failure && <FailureNote failure={failure} onRetry={refresh} />}
        {total === 0 ? (
          <NothingHere none={props.none} onClear={onClear}>
            {props.elsewhere}
          </NothingHere>
        ) : failure !== undefined && total === undefined ? null : (
          <ListGrid
            key={key}
            label={countText || lists.loading}
            pages={pages}
            columns={columns}
            ticks={ticks}
            row={at.row}
            opened={opened}
            onRow={(row) => stay({ ...latest.current, row })}
            onView={(first, last) => {
              if (view.value.first !== first || view.value.last !== last) view.value = { first, last };
            }}
            onOpen={openAt}
            onClose={closeRow}
          />
        )}
        {ticked > 0 && (
          <SelectionBar
            count={ticked}
            readIDs={readIDs}
            onSet={props.onSet}
            onSetAll={selection.isAll.value && ticked === total ? props.onSetAll : undefined}
            onDownload={() =>
              selection.isAll.peek() ? download(load, selection.snapshot()) : download(listOf(selection.items))
            }
            onClear={clear}
          />
        )}
        {total !== undefined && total > 0 && (
          <ListFoot {...view.value} total={total} onGo={(row) => go({ ...at, row })} />
        )}
      </section>
      {opened && !(failure && total === undefined) && (
        <Detail
          item={opened.item}
          head={opened.item && { ...props.detail(opened.item), id: idOf(opened.item) }}
          lack={opened.lack}
          index={opened.index}
          total={total ?? 0}
          timeUnit={props.timeUnit ?? 1}
          onMove={openAt}
          onClose={closeRow}
        />
      )}
    </>
  );
}
