/** Reads what the administrator has chosen in an earlier visit; a browser may forbid it. */
export function readChoice(name: string): string {
  try {
    return localStorage.getItem(`im-admin-${name}`) ?? "";
  } catch {
    return "";
  }
}

/** Keeps what the administrator has chosen; where a browser forbids it, the choice lasts until the page is left. */
export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(`im-admin-${name}`, value);
  } catch {
    return;
  }
}
