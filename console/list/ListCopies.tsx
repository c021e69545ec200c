import type { Input, Operation } from "../api/call.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { csvOf } from "./csv.js";
import { curlOf } from "./curl.js";
import { type ListPage, rowsPerPage } from "./pages.js";

/** Rows that are copied at once: the most that one request may ask for. */
const rowsPerCopy = 1_000;

interface ListCopiesProps<Name extends Operation, Item extends object> {
  operation: Name;
  input: Omit<Input<Name>, "pagination">;
  total: number;
  /** The first and the last row in view, from 1. */
  first: number;
  last: number;
  load(pageNumber: number, showNumber: number): Promise<ListPage<Item>>;
}

/** Copies the thousand rows among which the middle of the view stands, and the request for the rows in view. */
export function ListCopies<Name extends Operation, Item extends object>(props: ListCopiesProps<Name, Item>) {
  const { operation, input, total, first, last, load } = props;
  const { lists } = messages.value;
  const page = Math.floor(((first + last) / 2 - 1) / rowsPerCopy);
  const lastCopied = Math.min(total, (page + 1) * rowsPerCopy);
  const title =
    total <= rowsPerCopy
      ? lists.copyAll(formatCount(total))
      : lists.copyRows(formatCount(page * rowsPerCopy + 1), formatCount(lastCopied));

  return (
    <>
      <CopyButton
        label={lists.copyCsv}
        title={title}
        text={() => load(page + 1, rowsPerCopy).then(({ items }) => csvOf(items))}
      />
      <CopyButton
        label={lists.copyCurl}
        text={() => {
          const pageNumber = Math.floor((first - 1) / rowsPerPage) + 1;
          return curlOf(operation, { ...input, pagination: { pageNumber, showNumber: rowsPerPage } });
        }}
      />
    </>
  );
}
