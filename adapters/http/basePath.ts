/**
 * A base path as it stands in a URL: with a slash before each of its parts, and percent-encoded.
 *
 * @throws TypeError for what is no string
 */
export function normalizeBasePath(path: string): string {
  if (typeof path !== "string") throw new TypeError("basePath must be a string");
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.map((segment) => new URL(`http://localhost/${segment}`).pathname).join("");
}
