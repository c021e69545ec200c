/** A path without the slashes at its end. A pattern would begin anew at each of those that a hostile client puts before it. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
