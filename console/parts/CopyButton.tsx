import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";
import { messages } from "../language/language.js";
import { copyText } from "./clipboard.js";
import { failureTitle } from "./failureTitle.js";

/** How long the button says that it has copied, in milliseconds. */
const thanksTime = 2_000;

interface CopyButtonProps {
  label: string;
  /** The text to copy, or a promise of it. */
  text(): string | Promise<string>;
  title?: string | undefined;
  /** Whether it looks like a button, not like a text. */
  isLoud?: boolean;
}

export function CopyButton({ label, text, title, isLoud }: CopyButtonProps) {
  const { copied, notCopied, loading } = messages.value.lists;
  const shown = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(): Promise<void> {
    // A disabled button would lose the focus.
    if (isBusy.value) return;
    clearTimeout(timer.current);
    shown.value = loading;
    isBusy.value = true;
    shown.value = await outcome();
    isBusy.value = false;
    timer.current = setTimeout(() => {
      shown.value = undefined;
    }, thanksTime);
  }

  async function outcome(): Promise<string> {
    const wanted = Promise.resolve(text());
    try {
      await copyText(wanted);
      return copied;
    } catch {
      // The browser rejects in the same way if the text did not come.
      return wanted.then(
        () => notCopied,
        (error) => (error instanceof CallFailure ? failureTitle(error, messages.value) : String(error)),
      );
    }
  }

  return (
    <button type="button" class={isLoud ? "" : "quiet"} title={title} aria-disabled={isBusy.value} onClick={copy}>
      <span aria-live="polite">{shown.value ?? label}</span>
    </button>
  );
}
