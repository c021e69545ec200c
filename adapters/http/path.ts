/**
 * The path of a request; empty where its address makes no URL.
 *
 * srvx puts the address together from the Host header when it is first asked, and `Host: 999.999.999.999` makes none.
 */
export function pathOf(request: Request): string {
  try {
    return new URL(request.url).pathname;
  } catch {
    return "";
  }
}
