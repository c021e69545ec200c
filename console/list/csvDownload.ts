import { csvLines, csvNames } from "../../adapters/csv/csv.js";
import { formatCount } from "../language/format.js";
import type { Messages } from "../language/messages.js";
import type { Place } from "../places/place.js";
import { titleOf } from "../places/titles.js";
import { ListTask } from "./listTask.js";
import type { Load } from "./readRows.js";

interface DownloadOptions<Item> {
  /** The name of the list, which becomes the name of the file. */
  name: string;
  /** What it saves, in words; by default the title of the place. */
  title?: () => string;
  place: Place;
  load: Load<Item>;
  /** Whether to save a row. Without this, all rows are saved. */
  isWanted?: ((item: Item) => boolean) | undefined;
}

/**
 * Saves all rows of a list as a CSV file. The browser keeps them as a blob, which may be on its disk, until the file is
 * complete.
 */
export class CsvDownload<Item extends object> extends ListTask<Item> {
  readonly #options: DownloadOptions<Item>;
  readonly #parts: Blob[] = [];
  #saved = 0;

  constructor(options: DownloadOptions<Item>) {
    super(options.place, options.load);
    this.#options = options;
    void this.run();
  }

  title(messages: Messages): string {
    const { title = () => titleOf(this.place, messages) } = this.#options;
    return messages.tasks.download(title());
  }

  outcome({ tasks }: Messages): string {
    const { done, all } = this.progress.value;
    switch (this.state.value) {
      case "done":
        return `${tasks.saved(formatCount(this.#saved))}${this.hasChanged ? ` ${tasks.changed}` : ""}`;
      case "stopped":
        return tasks.stopped;
      default:
        return tasks.rows(formatCount(done), formatCount(all));
    }
  }

  goOn(): void {
    void this.run();
  }

  protected override take(items: readonly Item[]): void {
    const { isWanted = () => true } = this.#options;
    const wanted = items.filter(isWanted);
    const [first] = wanted;
    // This mark tells spreadsheets that the file is in UTF-8.
    if (this.#parts.length === 0 && first !== undefined) this.#parts.push(new Blob([`\ufeff${csvNames(first)}`]));
    this.#parts.push(new Blob([csvLines(wanted)]));
    this.#saved += wanted.length;
  }

  protected override end(): void {
    save(new Blob(this.#parts, { type: "text/csv" }), `${fileName(this.#options.name)}.csv`);
    this.#parts.length = 0;
  }
}

/** A file name that every operating system allows. */
function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 80) || "rows"
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has the blob by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
