/** Copies a text, or rejects where the browser does not allow it. */
export async function copyText(text: Promise<string>): Promise<void> {
  // Pages that come neither over HTTPS nor from this machine have no clipboard.
  if (navigator.clipboard === undefined) return copySelection(await text);
  // The text may still be on its way, and Safari takes it then only as a promise.
  const blob = text.then((ready) => new Blob([ready], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

function copySelection(text: string): void {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden";
  // Nothing outside of an open dialog can be selected.
  (focused?.closest("dialog") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  if (!isCopied) throw new Error("the browser did not copy");
}
