/** Reads the rows of a list and writes them to standard output, a page at a time. */
import { once } from "node:events";
import { success } from "../../../src/envelope.js";
import type { Store } from "../../../src/store.js";
import { eachPage, itemsOf } from "../../client/eachPage.js";
import { csvLines, csvNames } from "../../csv/csv.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { grouped } from "../report.js";
import type { ExportedList, Filters } from "./lists.js";

/** How many rows are read at once. */
const rowsAtOnce = 1000;

/** How rows are written. `names` makes the text before them from an item with all fields. */
export const formats = {
  ndjson: {
    names: () => "",
    lines: (items: readonly object[], _: CsvOptions) => items.map((item) => `${JSON.stringify(item)}\n`).join(""),
  },
  // Excel reads UTF-8 only behind this mark.
  csv: { names: (item: object) => `\ufeff${csvNames(item)}`, lines: csvLines },
};

/** How IDs are written in CSV. */
interface CsvOptions {
  quotesIDs?: boolean;
}

export type Format = keyof typeof formats;

/**
 * Writes all rows of a list, and tells how many there were. It ends early and in silence if standard output fails or
 * nobody reads it any more: the command line has its own answer to that.
 *
 * @throws OperationError before anything is written, if the filters are wrong or what they name does not exist
 */
export async function writeRows(
  name: string,
  list: ExportedList,
  store: Store,
  filters: Filters,
  { format, ...csv }: CsvOptions & { format: Format },
) {
  const { stdout } = process;
  // On one terminal, a bar would come between the rows.
  const bar = stdout.isTTY ? undefined : progressBar(name);
  const { names, lines } = formats[format];
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  stdout.on("error", end);
  let written: number | undefined;
  try {
    for await (const { items, done, total } of pagesOf(list, store, filters)) {
      if (written === undefined) bar?.start(total, 0);
      const head = written === undefined ? names(items[0] ?? list.item) : "";
      if (!stdout.write(head + lines(items, csv))) await once(stdout, "drain").catch(end);
      if (isOver) return;
      written = (written ?? 0) + items.length;
      bar?.update(done);
    }
  } finally {
    bar?.stop();
    stdout.off("error", end);
  }
  print(`${grouped(written ?? 0)} ${name} exported`);
}

/** The wanted rows of each page, the number of rows that were read by then, and the number of all rows. */
async function* pagesOf({ operation, searched = [], input }: ExportedList, store: Store, filters: Filters) {
  const options = { limits: { showNumber: rowsAtOnce } };
  const read = async (page: object) => success(await operation.run(store, page, options, {}));
  const keyword = small(filters.keyword ?? "");
  // The store would search the whole list again for each page.
  const isWanted = (item: Readonly<Record<string, unknown>>) =>
    keyword === "" || searched.some((field) => small(String(item[field])).includes(keyword));
  let done = 0;
  for await (const page of eachPage(read, input(filters), { showNumber: rowsAtOnce })) {
    const items = itemsOf(page) as Record<string, unknown>[];
    done += items.length;
    yield { items: items.filter(isWanted), done, total: page.total };
  }
}

/** A text in which the capital letters of ASCII are small, as searches compare them. */
function small(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
