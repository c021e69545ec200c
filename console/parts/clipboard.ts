/** Copies a text. It rejects if the browser does not allow it. */
export async function copyText(text: Promise<string>): Promise<void> {
  // A page has a clipboard only over HTTPS or from this machine.
  if (navigator.clipboard === undefined) return copySelection(await text);
  // Safari takes a text that comes later only as a promise.
  const blob = text.then((ready) => new Blob([ready], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

function copySelection(text: string): void {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden";
  // Only text inside an open dialog can be selected.
  (focused?.closest("dialog") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  if (!isCopied) throw new Error("the browser did not copy");
}
