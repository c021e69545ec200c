import { isPath, normalizePath } from "./normalizePath.js";

/**
 * The path that stands before those of the operations.
 *
 * @throws TypeError for what no request has before its path, so that nothing would ever be found
 */
export function resolveBasePath(basePath: string): string {
  if (typeof basePath !== "string") throw new TypeError("basePath must be a string");
  if (!isPath(basePath)) {
    throw new TypeError(`basePath must be a path such as "/admin", and not ${JSON.stringify(basePath)}`);
  }
  return normalizePath(basePath);
}
