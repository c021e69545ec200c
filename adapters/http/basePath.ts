import { isPath, normalizePath } from "./normalizePath.js";

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
