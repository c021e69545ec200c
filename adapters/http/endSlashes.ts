/**
 * A path without the slashes at its end. A regular expression would be slow on a hostile path with thousands of
 * slashes.
 */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
