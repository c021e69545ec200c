/** The element that had the focus last, and those around it. */
let last: HTMLElement[] = [];

/** Moves the focus to the part of the page around an element that had it and is gone, or is disabled now. */
export function keepFocus(): void {
  addEventListener("focusin", ({ target }) => {
    last = [];
    for (let at = target; at instanceof HTMLElement; at = at.parentElement) last.push(at);
  });
  new MutationObserver(() => {
    const [had, ...around] = last;
    if (document.activeElement !== document.body && document.activeElement !== had) return;
    if (had === undefined || (had.isConnected && !had.matches(":disabled"))) return;
    around.find((part) => part.isConnected && part.tabIndex === -1 && part.hasAttribute("tabindex"))?.focus();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
