/**
 * The path of a request's target, which is a path with a query or a whole URL; empty if it is neither. Runtimes may
 * build the URL from a Host header that a client has garbled.
 */
export function pathOf(target: string): string {
  // URL would change these targets, and a proxy in front may not: a client could avoid the proxy's limit for a path.
  if (/^[^?]*[\\#]/.test(target)) return "";
  try {
    return new URL(target.startsWith("/") ? `http://localhost${target}` : target).pathname;
  } catch {
    return "";
  }
}

/**
 * A path without the slashes at its end. A regular expression would be slow on a hostile path with thousands of
 * slashes.
 */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** A path with its percent-encoded letters as such; empty if they are none. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

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

/**
 * The path before the paths of the operations.
 *
 * @throws TypeError for a text that no path of a request can begin with
 */
export function resolveBasePath(basePath: string): string {
  if (typeof basePath !== "string") throw new TypeError("basePath must be a string");
  if (!isPath(basePath)) {
    throw new TypeError(`basePath must be a path such as "/admin", and not ${JSON.stringify(basePath)}`);
  }
  return normalizePath(basePath);
}
