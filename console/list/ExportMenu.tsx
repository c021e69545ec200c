import type { ComponentChildren } from "preact";
import { csvOf } from "../../adapters/csv/csv.js";
import type { Input, Operation } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { curlOf } from "./curl.js";
import { Menu } from "./Menu.js";
import { rowsPerPage } from "./pages.js";
import { type Load, readRows, rowsPerRead } from "./readRows.js";

interface ExportMenuProps<Name extends Operation, Item extends object> {
  operation: Name;
  input: Omit<Input<Name>, "pagination">;
  total: number;
  /** The first and the last row in view, from 1. */
  first: number;
  last: number;
  load: Load<Item>;
  /** Whether the list is read from its end. */
  isFromEnd: boolean;
  onDownload(): void;
  /** What else is in the menu. */
  children?: ComponentChildren;
}

/** A menu that saves all rows, or copies a thousand rows around the middle of the view, or the request for the rows in view. */
export function ExportMenu<Name extends Operation, Item extends object>(props: ExportMenuProps<Name, Item>) {
  const { operation, input, total, first, last, load, isFromEnd, onDownload, children } = props;
  const { lists } = messages.value;
  const page = Math.floor(((first + last) / 2 - 1) / rowsPerRead);
  const lastCopied = Math.min(total, (page + 1) * rowsPerRead);
  const copyLabel =
    total <= rowsPerRead
      ? lists.copyAll(formatCount(total))
      : lists.copyRows(formatCount(page * rowsPerRead + 1), formatCount(lastCopied));

  return (
    <Menu label={children ? lists.more : lists.export} isDisabled={total === 0 && !children}>
      {children}
      {total > 0 && (
        <>
          <button type="button" class="quiet" onClick={onDownload}>
            {lists.download(formatCount(total))}
          </button>
          <CopyButton label={copyLabel} text={() => csvOfRows(load, page * rowsPerRead, lastCopied - 1)} />
          <CopyButton
            label={lists.copyCurl}
            text={() => {
              const index = isFromEnd ? total - first : first - 1;
              const pageNumber = Math.floor(index / rowsPerPage) + 1;
              return curlOf(operation, { ...input, pagination: { pageNumber, showNumber: rowsPerPage } });
            }}
          />
        </>
      )}
    </Menu>
  );
}

async function csvOfRows<Item extends object>(load: Load<Item>, first: number, last: number): Promise<string> {
  const rows: Item[] = [];
  for await (const { items } of readRows(load, { first, last })) rows.push(...items);
  return csvOf(rows);
}
