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
