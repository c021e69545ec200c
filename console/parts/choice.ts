/** Reads a choice of an earlier visit. The browser may forbid it. */
export function readChoice(name: string): string {
  try {
    return localStorage.getItem(`im-admin-${name}`) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a choice for later visits. If the browser forbids it, the choice lasts until the page is left. */
export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(`im-admin-${name}`, value);
  } catch {
    return;
  }
}
