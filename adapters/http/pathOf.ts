/**
 * The path of a request's target, which is a path with a query or a whole address; empty where it is neither. Runtimes make
 * the address of a Host header that a client may have garbled.
 */
export function pathOf(target: string): string {
  // A URL takes these for something else, and a proxy before us may not: its limit for a path would be passed by.
  if (/^[^?]*(?:[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$))/i.test(target)) return "";
  try {
    return new URL(target.startsWith("/") ? `http://localhost${target}` : target).pathname;
  } catch {
    return "";
  }
}
