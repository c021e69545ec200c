import { csvOf } from "../../adapters/csv/csv.js";
import type { Input, Operation } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { curlOf } from "./curl.js";
import { Menu } from "./Menu.js";
import { rowsPerPage } from "./pages.js";
import { type Load, rowsPerRead } from "./readRows.js";

interface ExportMenuProps<Name extends Operation, Item extends object> {
  operation: Name;
  input: Omit<Input<Name>, "pagination">;
  total: number;
  /** The first and the last row in view, from 1. */
  first: number;
  last: number;
  load: Load<Item>;
  onDownload(): void;
}

/** Saves all rows, or copies a thousand rows around the middle of the view, or the request for the rows in view. */
export function ExportMenu<Name extends Operation, Item extends object>(props: ExportMenuProps<Name, Item>) {
  const { operation, input, total, first, last, load, onDownload } = props;
  const { lists } = messages.value;
  const page = Math.floor(((first + last) / 2 - 1) / rowsPerRead);
  const lastCopied = Math.min(total, (page + 1) * rowsPerRead);
  const copyLabel =
    total <= rowsPerRead
      ? lists.copyAll(formatCount(total))
      : lists.copyRows(formatCount(page * rowsPerRead + 1), formatCount(lastCopied));

  return (
    <Menu label={lists.export} isDisabled={total === 0}>
      <button type="button" class="quiet" onClick={onDownload}>
        {lists.download(formatCount(total))}
      </button>
      <CopyButton label={copyLabel} text={() => load(page + 1, rowsPerRead).then(({ items }) => csvOf(items))} />
      <CopyButton
        label={lists.copyCurl}
        text={() => {
          const pageNumber = Math.floor((first - 1) / rowsPerPage) + 1;
          return curlOf(operation, { ...input, pagination: { pageNumber, showNumber: rowsPerPage } });
        }}
      />
    </Menu>
  );
}
