import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { messages } from "../language/language.js";
import { copyText } from "./clipboard.js";

/** How long it says that it has copied, in milliseconds. */
const thanksTime = 2_000;

interface CopyButtonProps {
  label: string;
  /** What is copied. It may be on its way. */
  text(): string | Promise<string>;
  title?: string | undefined;
  /** Whether it looks like a button rather than like a text. */
  isLoud?: boolean;
}

export function CopyButton({ label, text, title, isLoud }: CopyButtonProps) {
  const state = useSignal<"idle" | "busy" | "copied" | "refused">("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { copied, notCopied, loading } = messages.value.lists;
  const labels = { idle: label, busy: loading, copied, refused: notCopied };

  async function copy(): Promise<void> {
    clearTimeout(timer.current);
    state.value = "busy";
    try {
      await copyText(text());
      state.value = "copied";
    } catch {
      state.value = "refused";
    }
    timer.current = setTimeout(() => {
      state.value = "idle";
    }, thanksTime);
  }

  return (
    <button type="button" class={isLoud ? "" : "quiet"} title={title} disabled={state.value === "busy"} onClick={copy}>
      <span aria-live="polite">{labels[state.value]}</span>
    </button>
  );
}
