/** A path as a prefix of other paths: with a slash before each part, and none at its end. */
export function normalizePath(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  // As in a URL, where letters beyond ASCII are percent-encoded.
  return segments.map((segment) => new URL(`http://localhost/${segment}`).pathname).join("");
}

/** Whether a text is a path and nothing more: a query is no part of one, and ".." leads out of it. */
export function isPath(text: string): boolean {
  return !/[?#]|:\/\//.test(text) && !/\/(?:\/|$)/.test(normalizePath(text));
}
