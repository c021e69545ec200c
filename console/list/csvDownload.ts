import { computed, signal } from "@preact/signals";
import { csvLines, csvNames } from "../../adapters/csv/csv.js";
import { CallFailure } from "../api/callFailure.js";
import { formatCount } from "../language/format.js";
import type { Messages } from "../language/messages.js";
import type { Place } from "../places/place.js";
import type { Task, TaskState } from "../tasks/task.js";
import { type Load, type Rows, readRows } from "./readRows.js";

interface DownloadOptions<Item> {
  /** The name of the list, which becomes the name of the file. */
  name: string;
  place: Place;
  load: Load<Item>;
  /** Whether to save a row. Without this, all rows are saved. */
  isWanted?: ((item: Item) => boolean) | undefined;
}

/**
 * Saves all rows of a list as a CSV file. It reads a thousand rows at a time. The browser keeps them as a blob, which
 * may be on its disk, until the file is complete.
 */
export class CsvDownload<Item extends object> implements Task {
  readonly place: Place;
  readonly state = signal<TaskState>("running");
  readonly failure = signal<CallFailure | undefined>(undefined);
  readonly progress = computed(() => ({ done: this.#read.value, all: this.#total.value }));
  readonly #options: DownloadOptions<Item>;
  readonly #parts: Blob[] = [];
  readonly #read = signal(0);
  readonly #total = signal(0);
  readonly #stopped = new AbortController();
  #saved = 0;
  #hasChanged = false;

  constructor(options: DownloadOptions<Item>) {
    this.#options = options;
    this.place = options.place;
    void this.#run();
  }

  title({ tasks }: Messages): string {
    return tasks.download(this.#options.name);
  }

  outcome({ tasks }: Messages): string {
    const { done, all } = this.progress.value;
    switch (this.state.value) {
      case "done":
        return `${tasks.saved(this.#saved, formatCount(this.#saved))}${this.#hasChanged ? ` ${tasks.changed}` : ""}`;
      case "stopped":
        return tasks.stopped;
      default:
        return tasks.rows(formatCount(done), formatCount(all));
    }
  }

  stop(): void {
    this.#stopped.abort();
    if (this.state.peek() === "running") this.state.value = "stopped";
  }

  goOn(): void {
    this.failure.value = undefined;
    this.state.value = "running";
    void this.#run();
  }

  async #run(): Promise<void> {
    const { load, name } = this.#options;
    const { signal } = this.#stopped;
    try {
      for await (const page of readRows(load, { first: this.#read.peek(), signal })) this.#take(page);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CallFailure)) throw error;
      this.failure.value = error;
      this.state.value = "failed";
      return;
    }
    save(new Blob(this.#parts, { type: "text/csv" }), `${fileName(name)}.csv`);
    this.#parts.length = 0;
    this.state.value = "done";
  }

  #take({ total, items, next }: Rows<Item>): void {
    const { isWanted = () => true } = this.#options;
    const wanted = items.filter(isWanted);
    const [first] = wanted;
    // This mark tells spreadsheets that the file is in UTF-8.
    if (this.#parts.length === 0 && first !== undefined) this.#parts.push(new Blob([`\ufeff${csvNames(first)}`]));
    this.#parts.push(new Blob([csvLines(wanted)]));
    this.#saved += wanted.length;
    this.#hasChanged ||= this.#total.peek() !== 0 && this.#total.peek() !== total;
    this.#total.value = total;
    // After a failure, the download can continue with the page that did not come.
    this.#read.value = Math.min(total, next);
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
