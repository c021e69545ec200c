import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { failureTitle } from "../parts/failureTitle.js";

interface SelectionBarProps {
  count: number;
  /** The IDs of the ticked items, each once. It may read the whole list, and reports how many rows have come. */
  readIDs(signal: AbortSignal, onRead: (rows: number) => void): Promise<string[]>;
  /** Goes to the form that sets a conversation for these users; undefined if the rows are no users. */
  onSet?: ((userIDs: readonly string[]) => void) | undefined;
  /** Goes there for all rows without reading them; undefined if some rows are not ticked. */
  onSetAll?: (() => void) | undefined;
  onDownload(): void;
  onClear(): void;
}

/** The number of ticked rows, and the actions for them. */
export function SelectionBar({ count, readIDs, onSet, onSetAll, onDownload, onClear }: SelectionBarProps) {
  const { lists, tasks } = messages.value;
  const text = useSignal<string | undefined>(undefined);
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);

  async function read(): Promise<string[]> {
    reading.current?.abort();
    const request = new AbortController();
    reading.current = request;
    try {
      return await readIDs(request.signal, (rows) => {
        text.value = tasks.rows(formatCount(rows), formatCount(count));
      });
    } finally {
      // It may be read again already.
      if (reading.current === request) {
        text.value = undefined;
        reading.current = undefined;
      }
    }
  }

  async function set(): Promise<void> {
    try {
      onSet?.(await read());
    } catch (error) {
      // The administrator has stopped it or left, and needs no message.
      if (error instanceof CallFailure) text.value = failureTitle(error, messages.value);
    }
  }

  return (
    <section class="selection" aria-label={lists.selection}>
      <strong role="status">{text.value ?? lists.selected(formatCount(count))}</strong>
      <button type="button" class="quiet" onClick={onClear}>
        {lists.clearSelection}
      </button>
      <div class="actions">
        {onSet && (
          <button type="button" class="primary" onClick={onSetAll ?? set}>
            {lists.setConversation}
          </button>
        )}
        <CopyButton isLoud label={lists.copyIDs} text={() => read().then((ids) => ids.join("\n"))} />
        <button type="button" onClick={onDownload}>
          {lists.downloadSelected}
        </button>
        {/* It comes and goes, and must not move the others. */}
        {reading.current && (
          <button type="button" onClick={() => reading.current?.abort()}>
            {tasks.stop}
          </button>
        )}
      </div>
    </section>
  );
}
